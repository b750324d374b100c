/** Find references: every use of an endpoint's function, class or instance, and every string with its name. */
import type { Location, ReferenceParams } from 'vscode-languageserver';
import type { Declaration } from '../../runtime/source/declarations/Declaration.ts';
import { type BoundName, distinctNames } from '../../runtime/source/references/BoundName.ts';
import { findUses } from '../../runtime/source/references/findUses.ts';
import { nameLiterals } from '../../runtime/source/references/nameLiterals.ts';
import { namesOfDeclaration } from '../../runtime/source/references/namesOfDeclaration.ts';
import { targetAt } from '../../runtime/source/references/targetAt.ts';
import type { ProjectView } from '../../runtime/source/snapshot/ProjectView.ts';
import { comparePositions } from '../../runtime/source/syntax/range.ts';
import type { DocumentContext } from './feature.ts';

/**
 * For an endpoint's name: where it is given, and the uses of its functions and instances. Null if the position does not
 * belong to an endpoint.
 */
export async function references(
  { project, document, uriOf, signal }: DocumentContext,
  { position, context: { includeDeclaration } }: ReferenceParams,
): Promise<Location[] | null> {
  const target = targetAt(project, document.file, position);
  if (!target) return null;
  const found: Location[] = [];
  if (target.kind === 'name' && includeDeclaration) {
    const given = nameLiterals(project.index).filter(({ name }) => name === target.name);
    found.push(...given.map(({ file, range }) => ({ uri: uriOf(file), range })));
  }
  const origins = target.kind === 'symbol' ? [target.origin] : originsOf(project, target.declarations);
  for (const origin of origins) {
    const uses = await findUses(project, origin, 'thing', signal);
    const counted = uses.filter(({ isDeclaration }) => includeDeclaration || !isDeclaration);
    found.push(...counted.map(({ file, range }) => ({ uri: uriOf(file), range })));
  }
  return inOrder(found);
}

function originsOf({ index }: ProjectView, declarations: readonly Declaration[]): BoundName[] {
  return distinctNames(declarations.flatMap((declaration) => namesOfDeclaration(index, declaration)));
}

/** Each location once, sorted by file and position, because some editors do not sort them. */
function inOrder(locations: readonly Location[]): Location[] {
  const byPlace = new Map(locations.map((one) => [`${one.uri}#${JSON.stringify(one.range)}`, one]));
  return [...byPlace.values()].toSorted((a, b) => {
    if (a.uri !== b.uri) return a.uri < b.uri ? -1 : 1;
    return comparePositions(a.range.start, b.range.start);
  });
}
