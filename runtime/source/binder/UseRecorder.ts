/** Nodes of names → the uses that a walk reports, filtered by the words that it looks for. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { Place } from './flow.ts';
import type { DefinitionSite, ImportSite, NameUse, Role } from './NameUse.ts';
import { dottedPath, nameOf, textOf } from './readExpression.ts';
import type { WordPlaces } from './WordPlaces.ts';

export interface RecordOptions {
  /** The words whose reads are recorded; all names when null. */
  words?: WordPlaces | null;
  /** Whether every binding is recorded, or only bindings of the words. */
  bindings?: 'all' | 'wanted';
  /** Whether `:=` may be in an expression. */
  hasWalrus?: boolean;
}

export class UseRecorder {
  readonly uses: NameUse[] = [];
  readonly definitions: DefinitionSite[] = [];
  readonly imports: ImportSite[] = [];
  /** Whether every binding is recorded. */
  readonly bindsAll: boolean;
  readonly #text: string;
  readonly #words: WordPlaces | null;
  readonly #hasWalrus: boolean;
  /** Offsets of expressions whose value is assigned to a name, decorates a definition or is returned. */
  readonly #held = new Map<number, NameUse['heldBy']>();

  constructor(text: string, { words = null, bindings = 'all', hasWalrus = true }: RecordOptions) {
    this.#text = text;
    this.#words = words;
    this.bindsAll = bindings === 'all';
    this.#hasWalrus = this.bindsAll && hasWalrus;
  }

  /** Whether an expression may contain something to record. */
  mayContain(node: SyntaxNode): boolean {
    if (!this.#words || this.#words.isIn(node)) return true;
    return this.#hasWalrus && textOf(node, this.#text).includes(':=');
  }

  /**
   * Records a use of a name if the name is one of the words, or if the use binds it and every binding is
   * recorded.
   */
  use(node: SyntaxNode, role: Role, place: Place, more: Partial<NameUse> = {}): void {
    const { scope, flow, assignment = null } = place;
    const name = nameOf(node, this.#text);
    // The parser inserts empty nodes where tokens are missing.
    if (name === '') return;
    if (this.#words && !this.#words.names.has(name) && !(this.bindsAll && role !== 'read')) return;
    const plain = { path: null, site: null, value: null, call: null, heldBy: null, handedOn: false };
    this.uses.push({ ...plain, name, node, role, scope, flow, assignment, whole: node, ...more });
  }

  /** Binds a name in its scope, and records the use. */
  bind(node: SyntaxNode, role: Role, place: Place, more: Partial<NameUse> = {}): void {
    const { bound } = place.scope;
    const name = nameOf(node, this.#text);
    const { endIndex } = place.assignment ?? more.site?.node ?? node;
    bound.set(name, Math.min(endIndex, bound.get(name) ?? endIndex));
    this.use(node, role, place, more);
  }

  /**
   * Remembers what receives a value. Only a dotted name or a call of a dotted name can be looked up later.
   */
  hold(value: SyntaxNode | null, by: NameUse['heldBy']): void {
    const named = value?.type === 'call' ? value.childForFieldName('function') : value;
    if (value && named && dottedPath(named, this.#text)) this.#held.set(value.startIndex, by);
  }

  /** What receives the value of an expression. */
  heldBy(value: SyntaxNode): NameUse['heldBy'] {
    return this.#held.get(value.startIndex) ?? null;
  }
}
