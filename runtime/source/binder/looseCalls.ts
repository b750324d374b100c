/** Finds calls that might declare an endpoint in the middle of any expression, so that none is lost silently. */
import type { Position } from '../../contract/diagnostic.ts';
import { ROUTE_VERBS } from '../../contract/endpoint.ts';
import { isStandardLibrary } from '../declarations/standardLibrary.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { Call } from './Expression.ts';
import type { Binding } from './FileFacts.ts';
import { readCall } from './readExpression.ts';

const CLASS = 'Endpoint';
const VERBS: ReadonlySet<string> = new Set(ROUTE_VERBS);
const VERB_CALL = new RegExp(String.raw`\.\s*(?:${ROUTE_VERBS.join('|')})\s*\(`);

export class LooseCalls {
  /** Names that the text adds to the known ones. */
  readonly watched: string[] = [];
  readonly #text: string;
  readonly #names: Set<string>;

  /** @param names - Names known so far; those of the text join them. */
  constructor(text: string, names: Set<string>) {
    this.#text = text;
    this.#names = names;
  }

  /** A name imported from outside the standard library may stand for `Endpoint` by way of a re-export. */
  watch(name: string, { target }: Extract<Binding, { kind: 'member' }>): void {
    if (target.folder === null && isStandardLibrary(target.module)) return;
    this.#add(name);
  }

  /** A name that a call of a watched name is assigned to may stand for an instance. */
  watchInstance(name: string, { callee }: Call): void {
    if (this.#names.has(callee.at(-1)!)) this.#add(name);
  }

  /** Whether a call of a dotted name may make an endpoint, or a decorator of that name add to one. */
  mayDeclare(path: readonly string[]): boolean {
    return path.at(-1) === CLASS || path.some((name) => this.#names.has(name));
  }

  #add(name: string): void {
    this.watched.push(name);
    this.#names.add(name);
  }

  /** Calls inside a node, but for the ones that begin at a known place. */
  in(node: SyntaxNode, known: readonly Position[]): Call[] {
    if (!this.#mayCall(this.#text.slice(node.startIndex, node.endIndex))) return [];
    const calls: Call[] = [];
    for (const found of node.descendantsOfType('call')) {
      const { row, column } = found.startPosition;
      if (known.some((place) => place.line === row && place.character === column)) continue;
      const call = readCall(found, this.#text);
      const last = call?.callee.at(-1);
      if (call && (last === CLASS || (call.callee.length === 1 && this.#names.has(last!)))) calls.push(call);
    }
    return calls;
  }

  /**
   * Calls inside a node that look like a route's decorator, but for the ones that begin at a known place: with a text
   * first, or called at once. `d.get(key)` is none.
   */
  routesIn(node: SyntaxNode, known: readonly Position[]): Call[] {
    if (!VERB_CALL.test(this.#text.slice(node.startIndex, node.endIndex))) return [];
    const calls = node.descendantsOfType('call');
    const called = calls.flatMap((found) => found.childForFieldName('function') ?? []).map(placeOf);
    return calls.flatMap((found) => {
      const { row, column } = found.startPosition;
      if (known.some((place) => place.line === row && place.character === column)) return [];
      const call = readCall(found, this.#text);
      if (!call || call.callee.length === 1 || !VERBS.has(call.callee.at(-1)!)) return [];
      const [first] = call.arguments;
      const isText = first?.value.kind === 'string' || first?.value.kind === 'concatenation';
      return isText || called.includes(placeOf(found)) ? [call] : [];
    });
  }

  #mayCall(text: string): boolean {
    if (!text.includes('(')) return false;
    for (const name of this.#names) if (text.includes(name)) return true;
    return false;
  }
}

function placeOf({ startIndex, endIndex }: SyntaxNode): string {
  return `${startIndex}-${endIndex}`;
}
