/**
 * Statements without an error in their tree → a form that the grammar accepts but Python refuses. A text
 * search finds candidates first. Few valid texts match, so most trees are not searched.
 */
import type { SyntaxNode } from './SyntaxParser.ts';

/** A fault and its indices in the source. */
export interface FoundFault {
  start: number;
  end: number;
  message: string;
  fix: string | null;
}

interface Form {
  types: string[];
  /** Whether a text may contain the form. */
  mayBeIn: (text: string) => boolean;
  /** The fault of a node; null if there is none. It has indices only if it is not the whole node. */
  fault: (node: SyntaxNode, source: string) => (Partial<FoundFault> & { message: string }) | null;
}

/** Nodes that cannot directly contain `:=`. */
const REFUSES_WALRUS = /^(?:(?:expression|return|assert)_statement|(?:augmented_)?assignment|lambda)$/;
const REFUSES_WALRUS_AS_VALUE = /^(?:keyword_argument|(?:typed_)?default_parameter)$/;

const PARAMETER_LIST = /\bdef\s+\w+\s*\(([^()]*)|\blambda\b([^:()]*)/g;
const PARAMETER = /(?:^|,)[\s*]*(\w+)\s*(?=[:=,]|$)/g;
const SPLAT = /^(?:list|dictionary)_splat_pattern$/;

const IN_BRACKETS = /^(?:tuple|parenthesized_expression)$/;

const BYTES = /(?<!\w)(?:[bB][rR]?|[rR][bB])["']/;
/** Two adjacent literals, one of them bytes. */
const BESIDE_BYTES =
  /["']\s*(?:[bB][rR]?|[rR][bB])["']|(?<!\w)(?:[bB][rR]?|[rR][bB])(["'])[^"'\n]*\1\s*[fFrRuU]{0,2}["']/;
const BAD_ESCAPE =
  /\\(?:x(?![\da-fA-F]{2})|u(?![\da-fA-F]{4})|U(?!00(?:0[\da-fA-F]|10)[\da-fA-F]{4})|N(?!\{[^{}\n]+\}))/;
const ESCAPE = new RegExp(`(${BAD_ESCAPE.source})|\\\\[^]`, 'g');

const FORMS: readonly Form[] = [
  {
    types: ['named_expression'],
    mayBeIn: (text) =>
      text.includes(':=') &&
      /(?:^[ \t]*|\w[ \t]*=[ \t]*|:[ \t]*|\b(?:return|assert)[ \t]+)\w+[ \t]*:=/m.test(text),
    fault: ({ parent }) =>
      parent && (REFUSES_WALRUS.test(parent.type) || REFUSES_WALRUS_AS_VALUE.test(parent.type))
        ? { message: 'An assignment with := needs parentheses here.', fix: null }
        : null,
  },
  {
    types: ['parameters', 'lambda_parameters'],
    mayBeIn: (text) => {
      for (const [, ofDef, ofLambda] of text.matchAll(PARAMETER_LIST)) {
        const names = Array.from((ofDef ?? ofLambda ?? '').matchAll(PARAMETER), ([, name]) => name);
        if (new Set(names).size < names.length) return true;
      }
      return false;
    },
    fault: ({ namedChildren }, source) => {
      const names = new Set<string>();
      for (const node of namedChildren.flatMap(parameterName)) {
        const name = source.slice(node.startIndex, node.endIndex);
        if (names.has(name)) return { ...placeOf(node), message: `Two parameters have the name ${name}.` };
        names.add(name);
      }
      return null;
    },
  },
  {
    types: ['case_clause'],
    mayBeIn: (text) => /^([ \t]*)case[ \t]+\w+[ \t]*:[^]*?\n\1case\b/m.test(text),
    fault: (node, source) => {
      const pattern = node.namedChildren.find(({ type }) => type === 'case_pattern');
      const isList = node.children.some(({ type }) => type === ',');
      if (!pattern || isList || node.childForFieldName('guard')) return null;
      const written = source.slice(pattern.startIndex, pattern.endIndex);
      const isName = pattern.namedChildren[0]?.type === 'dotted_name' && /^\w+$/.test(written);
      const cases = node.parent!.namedChildren.filter(({ type }) => type === 'case_clause');
      if (!(isName || written === '_') || cases.at(-1)!.startIndex === node.startIndex) return null;
      return {
        ...placeOf(pattern),
        message: `The pattern ${written} matches everything, so no case can follow it.`,
        fix: written === '_' ? 'Move it to the end.' : 'Use a dotted name to compare with a constant.',
      };
    },
  },
  {
    types: ['string'],
    mayBeIn: (text) => BAD_ESCAPE.test(text) || (/[^\0-\x7f]/.test(text) && BYTES.test(text)),
    fault: (node, source) => {
      const prefix = prefixOf(node, source);
      const isBytes = /b/i.test(prefix);
      for (const part of node.namedChildren.filter(({ type }) => type === 'string_content')) {
        const written = source.slice(part.startIndex, part.endIndex);
        const other = isBytes ? /[^\0-\x7f]/.exec(written) : null;
        if (other)
          return {
            message: 'A bytes literal can contain only ASCII characters.',
            fix: 'Write other characters as \\x escapes.',
          };
        if (/r/i.test(prefix)) continue;
        for (const { 1: escape, index } of written.matchAll(ESCAPE)) {
          if (!escape || (isBytes && escape !== '\\x') || (/[ft]/i.test(prefix) && escape === '\\N'))
            continue;
          const start = part.startIndex + index;
          return {
            start,
            end: start + escape.length,
            message: `The escape ${escape} is incomplete.`,
            fix: 'Double the backslash, or put r before the string.',
          };
        }
      }
      return null;
    },
  },
  {
    types: ['concatenated_string'],
    mayBeIn: (text) => BESIDE_BYTES.test(text),
    fault: ({ namedChildren }, source) => {
      const strings = namedChildren.filter(({ type }) => type === 'string');
      const bytes = strings.filter((node) => /b/i.test(prefixOf(node, source)));
      return bytes.length === 0 || bytes.length === strings.length
        ? null
        : { message: 'Bytes and string literals cannot be concatenated.' };
    },
  },
  {
    types: ['for_in_clause'],
    mayBeIn: (text) => /\bfor\b[^\n:]*\bin\b[^\n:()[\]{}]*,[^\n]*[)\]}]/.test(text),
    fault: ({ children }) => {
      const comma = children.findIndex(({ type }) => type === ',');
      return comma === -1 || !children[comma + 1]
        ? null
        : {
            ...placeOf(children[comma]!),
            message: 'The generator expression before this comma needs parentheses.',
          };
    },
  },
  {
    types: ['list_splat', 'list_splat_pattern'],
    mayBeIn: (text) =>
      /(?:^|=)[ \t]*\*[\w.]+[ \t]*(?:=|#|$)|(?:[=([{,:]|\b(?:return|in|yield|except))\s*\(\s*\*[^(),]*\)/m.test(
        text,
      ),
    fault: ({ parent }) =>
      parent?.type === 'assignment' ||
      (parent?.type === 'expression_statement' && parent.children.length === 1) ||
      (parent && IN_BRACKETS.test(parent.type) && !parent.children.some(({ type }) => type === ','))
        ? { message: 'A starred value must be in a list or a tuple.', fix: 'Add a comma after it.' }
        : null,
  },
  {
    types: ['string_start', '<>', 'tuple_pattern', 'raise_statement', 'integer'],
    mayBeIn: (text) =>
      /[=+%][ \t]*`|<>|\braise\s+[\w.]+\s*,|\b0[\d_]*[1-9][\d_]*(?![\w.])|\b(?:0[xX][\da-fA-F]+|\d+)[lL]\b/.test(
        text,
      ) || /\b(?:def\s+\w+\s*\(|lambda\b)(?:[^():]*,)?\s*\(/.test(text),
    fault: pythonTwo,
  },
];

/** Whether a text may have such a fault; false for almost all valid texts. */
export function mayHaveBadForm(text: string): boolean {
  return FORMS.some(({ mayBeIn }) => mayBeIn(text));
}

/** The first fault in statements of a source. `text` is the text of only these statements. */
export function formFault(nodes: readonly SyntaxNode[], text: string, source: string): FoundFault | null {
  for (const { types, mayBeIn, fault } of FORMS) {
    if (!mayBeIn(text)) continue;
    for (const node of nodes.flatMap((one) => one.descendantsOfType(types))) {
      const found = fault(node, source);
      if (found) return { ...placeOf(node), fix: null, ...found };
    }
  }
  return null;
}

/** Faults of code that is valid only in Python 2. */
function pythonTwo(node: SyntaxNode, source: string): ReturnType<Form['fault']> {
  const { type, parent, namedChildren } = node;
  const written = source.slice(node.startIndex, node.endIndex);
  if (written === '`') return { message: 'Python 3 does not support backquotes.', fix: 'Write repr(...).' };
  if (type === '<>') return { message: 'Python 3 does not have the operator <>.', fix: 'Write !=.' };
  if (type === 'tuple_pattern' && parent?.type.endsWith('parameters'))
    return { message: 'A parameter must be a name.', fix: 'Unpack the tuple in the function.' };
  if (type === 'raise_statement' && namedChildren[0]?.type === 'expression_list')
    return {
      message: 'raise takes only one exception.',
      fix: 'Pass the other values in parentheses, as arguments of the exception.',
    };
  if (type !== 'integer') return null;
  if (/l$/i.test(written))
    return { message: 'Integers have no suffix in Python 3.', fix: `Write ${written.slice(0, -1)}.` };
  if (!/^0[\d_]*[1-9][\d_]*$/.test(written)) return null;
  const octal = /^0[0-7]+$/.test(written) ? `Write 0o${written.slice(1)} for an octal number.` : null;
  return { message: 'A decimal integer cannot have leading zeros.', fix: octal };
}

function placeOf({ startIndex, endIndex }: SyntaxNode): { start: number; end: number } {
  return { start: startIndex, end: endIndex };
}

function prefixOf({ startIndex }: SyntaxNode, source: string): string {
  return /^\w*/.exec(source.slice(startIndex, startIndex + 3))![0];
}

/** The name of a parameter; none for `*` and `/`. */
function parameterName(node: SyntaxNode): SyntaxNode[] {
  const { type, namedChildren } = node;
  if (type === 'identifier') return [node];
  const name = node.childForFieldName('name') ?? namedChildren[0];
  const isNamed = type.endsWith('parameter') || SPLAT.test(type);
  return isNamed && name ? parameterName(name) : [];
}
