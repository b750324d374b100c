/**
 * Statements without an error in their tree → a statement or expression that Python refuses at its position:
 * return, yield, await, break, continue, nonlocal or `import *`. The grammar accepts them anywhere.
 */
import type { FoundFault } from './formFault.ts';
import type { SyntaxNode } from './SyntaxParser.ts';

const WORD =
  /\b(?:(?:def|class|for|while|return|yield|await|async[ \t]+(?:for|with)|break|continue|nonlocal)\b|import[ \t]*\*)/g;

/** The kinds of code around a word. `unknown` is code to which other rules apply. */
type Kind = 'function' | 'async' | 'class' | 'loop' | 'unknown';

/** First words of lines → the kind of code that the line opens. */
const HEADS: Readonly<Record<string, Kind>> = { def: 'function', class: 'class', for: 'loop', while: 'loop' };

/** Words that do not have to begin a statement. */
const EXPRESSION = /^(?:yield|await|async|import)/;

interface Body {
  start: number;
  end: number;
  kind: Kind;
}

const BODIES: Readonly<Record<string, Kind>> = {
  function_definition: 'function',
  lambda: 'function',
  class_definition: 'class',
  for_statement: 'loop',
  while_statement: 'loop',
  generator_expression: 'unknown',
  type: 'unknown',
  type_parameter: 'unknown',
  parameters: 'unknown',
  lambda_parameters: 'unknown',
};
const PLACED: Readonly<Record<string, string>> = {
  return_statement: 'return',
  yield: 'yield',
  await: 'await',
  with_statement: 'async with',
  for_statement: 'async for',
  for_in_clause: 'async for',
  break_statement: 'break',
  continue_statement: 'continue',
  nonlocal_statement: 'nonlocal',
  wildcard_import: 'import *',
};
const TYPES = [...new Set([...Object.keys(BODIES), ...Object.keys(PLACED)])];

/**
 * Null if Python accepts a word in the code around it; otherwise, where Python accepts it and how to fix it.
 */
function placeOf(word: string, around: readonly Kind[]): { place: string; fix: string | null } | null {
  const scopes = around.filter((kind) => kind !== 'loop');
  const innermost = scopes.at(-1);
  const isInFunction = innermost === 'function' || innermost === 'async';
  switch (word) {
    case 'return':
    case 'yield':
      return isInFunction ? null : { place: 'in a function', fix: null };
    case 'break':
    case 'continue':
      return around.at(-1) === 'loop' ? null : { place: 'in a loop', fix: null };
    case 'import *':
      return scopes.length === 0
        ? null
        : { place: 'at the top level of a module', fix: 'Import the names that you use.' };
    case 'nonlocal':
      return scopes.slice(0, -1).some((kind) => kind !== 'class')
        ? null
        : {
            place: 'in a function inside another function',
            fix: 'Use global for a module-level name.',
          };
    default:
      if (innermost === 'async') return null;
      return {
        place: 'in an async function',
        fix: innermost === 'function' ? 'Write async before the def.' : null,
      };
  }
}

/** Whether a text may have such a fault, by its indentation; false for almost all valid texts. */
export function mayBeMisplaced(text: string): boolean {
  let open: { line: number; indent: number; kind: Kind }[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const line = text.lastIndexOf('\n', index - 1) + 1;
    const before = text.slice(line, index);
    const indent = before.search(/\S|$/);
    const lead = before.trimStart();
    open = open.filter((one) => one.indent < indent || one.line === line);
    const opens = HEADS[word];
    if (opens) {
      const isAsync = /^async\s+$/.test(lead);
      if (lead === '' || isAsync) open.push({ line, indent, kind: isAsync ? 'async' : opens });
    } else if (!lead.includes('#') && (EXPRESSION.test(word) || /^$|[:;]\s*$/.test(lead))) {
      const around = open.map(({ kind }) => kind);
      if (placeOf(word.startsWith('import') ? 'import *' : word, around)) return true;
    }
  }
  return false;
}

/** The first fault in statements. */
export function placeFault(nodes: readonly SyntaxNode[]): FoundFault | null {
  let open: Body[] = [];
  for (const node of nodes.flatMap((one) => one.descendantsOfType(TYPES))) {
    const { type, startIndex } = node;
    open = open.filter(({ end }) => end > startIndex);
    const around = open.filter(({ start }) => start <= startIndex).map((body) => body.kind);
    const isAsync = node.children[0]?.type === 'async';
    const word = PLACED[type];
    if (word && (isAsync || !word.startsWith('async')) && !around.includes('unknown')) {
      const found = placeOf(word, around);
      if (found)
        return {
          start: startIndex,
          end: Math.min(startIndex + word.length, node.endIndex),
          message: `${word} is only allowed ${found.place}.`,
          fix: found.fix,
        };
    }
    const kind = BODIES[type];
    const body = kind === 'unknown' ? node : node.childForFieldName('body');
    if (kind && body)
      open.push({
        start: body.startIndex,
        end: body.endIndex,
        kind: isAsync && kind === 'function' ? 'async' : kind,
      });
  }
  return null;
}
