/** Statements of a file and a name → every use of the name. Walks only nodes that contain the name. */
import { bindingsOf } from '../binder/bindings.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import { type LexicalScope, newScope } from '../binder/LexicalScope.ts';
import type { NameUse } from '../binder/NameUse.ts';
import { NameWalk } from '../binder/NameWalk.ts';
import { values } from '../binder/readExpression.ts';
import { WordPlaces } from '../binder/WordPlaces.ts';
import { placeKey } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';

/** Returns a filter for the segments of a file that contain one of the names. */
export function saysOneOf(...names: string[]): (segment: { text: string }) => boolean {
  const words = new Set(names);
  return ({ text }) => !new WordPlaces(text, words).isEmpty;
}

/**
 * The scope of a file's module, with the given names bound if its facts bind them. With it, some statements
 * can be walked without walking all the others.
 */
export function moduleScope({ scopes }: FileFacts, ...names: string[]): LexicalScope {
  const module = newScope('module', null, null);
  const { bindings } = scopes[0]!;
  for (const name of names) if (bindingsOf(bindings, name).length > 0) module.bound.set(name, 0);
  return module;
}

/** Every use of a name, in order of position. */
export function nameUses(
  root: SyntaxNode,
  text: string,
  name: string,
  module = newScope('module', null, null),
): NameUse[] {
  const words = new WordPlaces(text, new Set([name]));
  if (words.isEmpty) return [];
  const walk = new NameWalk(text, { words, bindings: 'wanted', module });
  walk.statements(values(root));
  const places = new Map<number, NameUse>();
  for (const use of walk.uses) {
    // `x += 1` is a read and a binding at one position, and `x[0] = 1` is a read and a change.
    if (use.role !== 'mutated' && (use.role !== 'read' || !places.has(use.node.startIndex)))
      places.set(use.node.startIndex, use);
  }
  return [...places.values()].sort((a, b) => a.node.startIndex - b.node.startIndex);
}

/** A scope, located in the facts of its file. */
export interface FactsScope {
  /** Its index, or the index of the scope around it; -1 in broken source that the facts do not cover. */
  index: number;
  /**
   * Whether the facts contain the scope itself: they do not contain lambdas, comprehensions and type
   * parameters.
   */
  isOwn: boolean;
}

const bodies = new WeakMap<FileFacts, ReadonlyMap<string, number>>();

/** Finds a scope in the facts of its file. */
export function scopeInFacts(facts: FileFacts, { node, parent }: LexicalScope): FactsScope {
  if (!node || !parent) return { index: 0, isOwn: true };
  const name = node.type.endsWith('_definition') ? node.childForFieldName('name')?.startPosition : null;
  if (name === null) return { ...scopeInFacts(facts, parent), isOwn: false };
  const index = name ? bodiesOf(facts).get(`${name.row}:${name.column}`) : undefined;
  return { index: index ?? -1, isOwn: true };
}

/** Start of a definition's name → the facts' scope of its body. */
function bodiesOf(facts: FileFacts): ReadonlyMap<string, number> {
  const known = bodies.get(facts);
  if (known) return known;
  const found = new Map(facts.definitions.map(({ nameRange: { start }, body }) => [placeKey(start), body]));
  bodies.set(facts, found);
  return found;
}
