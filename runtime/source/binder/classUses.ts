/** Finds places where the class `Endpoint` is handed on as a value, so that what it declares there is not lost silently. */
import { SDK_MODULE } from '../../contract/names.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { Binding, ClassUse } from './FileFacts.ts';
import { rangeOf } from './range.ts';
import { dottedPath, readCall, textOf, values } from './readExpression.ts';

const CLASS = 'Endpoint';
/** What only looks at a class, prints it or replaces it in a test; `partial` has a finding of its own. */
const HARMLESS =
  /^(?:assert\w*|isinstance|issubclass|cast|print|repr|str|id|type|help|dir|len|sorted|format|pprint|log|debug|info|warning|warn|error|exception|critical|vars|callable|hasattr|getattr|setattr|signature|get_type_hints|getdoc|getsource|getmembers|TypeVar|NewType|Mock|MagicMock|create_autospec|object|partial)$/;
/** Expressions that have the value of one of their parts, or hold it. */
const CARRIERS: ReadonlySet<string> = new Set([
  'parenthesized_expression',
  'list',
  'tuple',
  'set',
  'dictionary',
  'pair',
  'expression_list',
  'conditional_expression',
  'boolean_operator',
  'keyword_argument',
  'argument_list',
]);
/** Where a value comes to a name that nobody follows. */
const SINKS: ReadonlySet<string> = new Set([
  'named_expression',
  'default_parameter',
  'typed_default_parameter',
  'return_statement',
  'yield',
  'lambda',
]);
const IMPORTERS: ReadonlySet<string> = new Set(['import_module', '__import__']);

/** Importing the package by a text matters only in a file in which the class is then taken from it. */
export function takesClass(text: string): boolean {
  return /\.\s*Endpoint\b|["']Endpoint["']/.test(text);
}

type Found = Pick<ClassUse, 'path' | 'by' | 'range'>;

export class ClassUses {
  /** Names that the text adds to the known ones. */
  readonly watched: string[] = [];
  readonly #text: string;
  readonly #names: Set<string>;

  /** @param names - Names known so far; those of the text join them. */
  constructor(text: string, names: Set<string>) {
    this.#text = text;
    this.#names = names;
  }

  /** `from toolkit_sdk import Endpoint as E`. */
  watch(alias: string, binding: Extract<Binding, { kind: 'member' }>): void {
    if (binding.name !== CLASS) return;
    this.watched.push(alias);
    this.#names.add(alias);
  }

  /**
   * Uses inside a node.
   *
   * @param handed - Whether the node's own value goes where nobody follows it.
   * @param isKnown - Tells values that are followed.
   */
  in(node: SyntaxNode, handed: boolean, isKnown: (node: SyntaxNode) => boolean): Found[] {
    const text = textOf(node, this.#text);
    const found: Found[] = [];
    if (text.includes(SDK_MODULE) || text.includes('getattr'))
      found.push(...node.descendantsOfType('call').flatMap((call) => this.#lookUp(call)));
    const mayUse = [...this.#names].some((name) => text.includes(name));
    return mayUse ? [...found, ...this.#values(node, handed, isKnown)] : found;
  }

  /** `getattr(toolkit_sdk, "Endpoint")`, `importlib.import_module("toolkit_sdk")`. */
  #lookUp(node: SyntaxNode): Found[] {
    const call = readCall(node, this.#text);
    const [first, second] = call?.arguments ?? [];
    if (!call || !first) return [];
    const { range, callee } = call;
    if (callee.join('.') === 'getattr') {
      const named = second?.value.kind === 'string' && second.value.value === CLASS;
      return named && first.value.kind === 'reference'
        ? [{ by: 'getattr', path: first.value.path, range }]
        : [];
    }
    const imports =
      IMPORTERS.has(callee.at(-1)!) && first.value.kind === 'string' && first.value.value === SDK_MODULE;
    return imports ? [{ by: 'import', path: [], range }] : [];
  }

  #values(node: SyntaxNode, handed: boolean, isKnown: (node: SyntaxNode) => boolean): Found[] {
    if (node.type === 'identifier' || node.type === 'attribute') {
      const path = dottedPath(node, this.#text);
      const isClass = path !== null && this.#names.has(path.at(-1)!);
      return handed && isClass && !isKnown(node) ? [{ by: 'value', path, range: rangeOf(node) }] : [];
    }
    if (node.type === 'type') return [];
    const parts = values(node);
    const condition = node.type === 'conditional_expression' ? parts[1] : undefined;
    const passes =
      (handed && CARRIERS.has(node.type)) ||
      SINKS.has(node.type) ||
      (node.type === 'call' && !this.#isHarmless(node));
    return parts.flatMap((part) => {
      // What is called is a declaration, which has a reader of its own; the others are no values.
      const apart = ['name', 'key', 'parameters', 'function'].some((field) =>
        isSame(node.childForFieldName(field), part),
      );
      return this.#values(part, passes && !apart && part !== condition, isKnown);
    });
  }

  #isHarmless(call: SyntaxNode): boolean {
    const callee = call.childForFieldName('function');
    const last = callee?.type === 'attribute' ? callee.childForFieldName('attribute') : callee;
    return last !== null && HARMLESS.test(textOf(last, this.#text));
  }
}

function isSame(a: SyntaxNode | null, b: SyntaxNode): boolean {
  return a?.startIndex === b.startIndex && a.endIndex === b.endIndex;
}
