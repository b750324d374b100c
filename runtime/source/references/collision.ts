/** A rename in one file → the place at which the new name means something else, so that the code would change its meaning. */
import type { Position } from '../../contract/diagnostic.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import type { FoundUse } from './findUses.ts';
import { type NameUse, nameUses } from './nameUses.ts';
import { ownerOf, scopesAround, type UseScope } from './UseScope.ts';

/**
 * Looks for a scope between a use and its owner that binds the new name, and for uses of the new name that the renamed
 * one would capture.
 *
 * @param renamed - The uses that are to be renamed in the file, all of one name.
 * @returns Where the other meaning stands; null when there is none.
 */
export function collisionIn(
  project: ProjectView,
  file: string,
  renamed: readonly FoundUse[],
  newName: string,
): Position | null {
  const facts = project.index.names.factsOf(file);
  const [first] = renamed;
  if (!facts || !first) return null;
  const places = new Set(renamed.map(({ range: { start } }) => `${start.line}:${start.character}`));
  return project.withTree(file, (root, text) => {
    const news = nameUses(root, text, facts, newName);
    if (news.length === 0) return null;
    const olds = nameUses(root, text, facts, first.name).filter(
      ({ role, range: { start } }) =>
        places.has(`${start.line}:${start.character}`) && role !== 'attribute' && role !== 'imported-as',
    );
    return hiding(olds, news) ?? captured(olds, news);
  });
}

/** The new name is bound where an old use would look for it first. */
function hiding(olds: readonly NameUse[], news: readonly NameUse[]): Position | null {
  const binders = new Map<string, Position>();
  for (const { role, scope, range } of news) {
    if (!scope.binds || !/^(?:bound|defined|imported)$/.test(role)) continue;
    // `:=` in a comprehension binds outside of it.
    const owner = ownerOf(scope) ?? scope;
    if (!binders.has(keyOf(owner))) binders.set(keyOf(owner), range.start);
  }
  for (const { scope } of olds) {
    const owner = ownerOf(scope);
    for (const around of scopesAround(scope)) {
      const place = around === scope || around.kind !== 'class' ? binders.get(keyOf(around)) : undefined;
      if (place) return place;
      if (around === owner) break;
    }
  }
  return null;
}

/** A use of the new name that means something farther out, such as a builtin, would find the renamed one. */
function captured(olds: readonly NameUse[], news: readonly NameUse[]): Position | null {
  const owners = new Set(olds.flatMap(({ scope }) => ownerOf(scope) ?? []).map(keyOf));
  for (const { role, scope, range } of news) {
    if (role !== 'read') continue;
    const owner = ownerOf(scope);
    for (const around of scopesAround(scope)) {
      if (owner && keyOf(around) === keyOf(owner)) break;
      if ((around === scope || around.kind !== 'class') && owners.has(keyOf(around))) return range.start;
    }
  }
  return null;
}

function keyOf({ kind, start }: UseScope): string {
  return `${kind}:${start}`;
}
