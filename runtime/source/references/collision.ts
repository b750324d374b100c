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
import { placeKey, rangeOf } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { FoundUse } from './findUses.ts';

/**
 * Looks for a scope between a use and its owner that binds the new name, and for uses of the new name that the renamed
 * one would capture.
 *
 * @param renamed - The uses that are to be renamed in the file, all of one name.
 * @returns The position of the other meaning; null when there is none.
 */
export function collisionIn(
  project: ProjectView,
  file: string,
  renamed: readonly FoundUse[],
  newName: string,
): Position | null {
  const [first] = renamed;
  if (!first) return null;
  const places = new Set(renamed.map(({ range: { start } }) => placeKey(start)));
  return project.withTree(file, (root, text) => {
    // One walk for both names, so that they share their scopes.
    const words = new WordPlaces(text, new Set([newName, first.name]));
    const walk = new NameWalk(text, { words, bindings: 'wanted' });
    walk.statements(values(root));
    const isName = ({ role }: NameUse) =>
      role !== 'attribute' && role !== 'imported-as' && role !== 'mutated';
    const news = walk.uses.filter(({ name }) => name === newName);
    const olds = walk.uses.filter(({ name, node: { startPosition } }) => {
      return name === first.name && places.has(`${startPosition.row}:${startPosition.column}`);
    });
    const place = hiding(olds.filter(isName), news) ?? captured(olds.filter(isName), news);
    return place && rangeOf(place).start;
  });
}

/** A binding of the new name that an old use would find first. */
function hiding(olds: readonly NameUse[], news: readonly NameUse[]): SyntaxNode | null {
  const binders = new Map<LexicalScope, SyntaxNode>();
  for (const use of news) {
    const { role, scope, node } = use;
    if (!/^(?:bound|parameter|defined|imported|handler|deleted)$/.test(role)) continue;
    // `:=` in a comprehension binds outside of it.
    const owner = ownerOf(use) ?? scope;
    if (!binders.has(owner)) binders.set(owner, node);
  }
  for (const use of olds) {
    const { scope } = use;
    const owner = ownerOf(use);
    for (const around of scopesAround(scope)) {
      const place = around === scope || around.kind !== 'class' ? binders.get(around) : undefined;
      if (place) return place;
      if (around === owner) break;
    }
  }
  return null;
}

/** A use of the new name for something in an outer scope, such as a builtin, that would find the renamed one. */
function captured(olds: readonly NameUse[], news: readonly NameUse[]): SyntaxNode | null {
  const owners = new Set(olds.flatMap((use) => ownerOf(use) ?? []));
  for (const use of news) {
    const { role, scope, node } = use;
    if (role !== 'read') continue;
    const owner = ownerOf(use);
    for (const around of scopesAround(scope)) {
      if (around === owner) break;
      if ((around === scope || around.kind !== 'class') && owners.has(around)) return node;
    }
  }
  return null;
}
