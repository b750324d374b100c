/**
 * A rename in one file → where the new name already means something else, so that the rename would change what the code
 * does.
 */
import type { Position } from '../../contract/diagnostic.ts';
import { type LexicalScope, ownerOf, scopesAround } from '../binder/LexicalScope.ts';
import type { NameUse } from '../binder/NameUse.ts';
import { NameWalk } from '../binder/NameWalk.ts';
import { values } from '../binder/readExpression.ts';
import { WordPlaces } from '../binder/WordPlaces.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import type { Steps } from '../steps.ts';
import { placeKey, rangeOf } from '../syntax/range.ts';
import type { FoundUse } from './findUses.ts';
import { moduleScope, saysOneOf } from './nameUses.ts';

/** A use, kept after its tree is freed. */
interface PlacedUse extends Pick<NameUse, 'name' | 'role' | 'scope'> {
  owner: LexicalScope | null;
  start: Position;
}

/**
 * Looks for a scope between a use and its owner that binds the new name, and for uses of the new name that the renamed
 * one would capture.
 *
 * @param renamed - The uses that are to be renamed in the file, all of one name.
 * @returns The position of the other meaning; null when there is none.
 */
export function* collisionIn(
  project: ProjectView,
  file: string,
  renamed: readonly FoundUse[],
  newName: string,
): Steps<Position | null> {
  const [first] = renamed;
  const facts = project.index.names.factsOf(file);
  if (!first || !facts) return null;
  const names = [newName, first.name];
  const module = moduleScope(facts, ...names);
  const uses: PlacedUse[] = [];
  yield* project.withSegments(file, saysOneOf(...names), (root, text) => {
    // One walk for both names, so that they share their scopes.
    const words = new WordPlaces(text, new Set(names));
    const walk = new NameWalk(text, { words, bindings: 'wanted', module });
    walk.statements(values(root));
    for (const use of walk.uses) {
      const { name, role, scope, node } = use;
      uses.push({ name, role, scope, owner: ownerOf(use), start: rangeOf(node).start });
    }
  });
  const places = new Set(renamed.map(({ range: { start } }) => placeKey(start)));
  const news = uses.filter(({ name }) => name === newName);
  const olds = uses.filter(
    ({ name, role, start }) =>
      name === first.name && places.has(placeKey(start)) && !/^(?:attribute|imported-as|mutated)$/.test(role),
  );
  return hiding(olds, news) ?? captured(olds, news);
}

/** A binding of the new name that an old use would find first. */
function hiding(olds: readonly PlacedUse[], news: readonly PlacedUse[]): Position | null {
  const binders = new Map<LexicalScope, Position>();
  for (const { role, scope, owner, start } of news) {
    if (!/^(?:bound|parameter|defined|imported|handler|deleted)$/.test(role)) continue;
    // `:=` in a comprehension binds outside of it.
    const binder = owner ?? scope;
    if (!binders.has(binder)) binders.set(binder, start);
  }
  for (const { scope, owner } of olds) {
    for (const around of scopesAround(scope)) {
      const place = around === scope || around.kind !== 'class' ? binders.get(around) : undefined;
      if (place) return place;
      if (around === owner) break;
    }
  }
  return null;
}

/** A use of the new name for something in an outer scope, such as a builtin, that would find the renamed one. */
function captured(olds: readonly PlacedUse[], news: readonly PlacedUse[]): Position | null {
  const owners = new Set(olds.flatMap(({ owner }) => owner ?? []));
  for (const { role, scope, owner, start } of news) {
    if (role !== 'read') continue;
    for (const around of scopesAround(scope)) {
      if (around === owner) break;
      if ((around === scope || around.kind !== 'class') && owners.has(around)) return start;
    }
  }
  return null;
}
