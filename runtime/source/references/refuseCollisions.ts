/**
 * Refuses a rename if the new name already means something else in a file, or would no longer be imported.
 */
import { ToolkitError } from '../../contract/errors.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import type { Steps } from '../steps.ts';
import type { BoundName } from './BoundName.ts';
import { collisionIn } from './collision.ts';
import type { FoundUse } from './findUses.ts';
import { importersOf } from './importersOf.ts';
import { type StarImport, starImportsOf } from './starImports.ts';

/**
 * Checks every file that uses the renamed object or gets it through a star import.
 *
 * @throws ToolkitError CONFLICT.
 */
export function* refuseCollisions(
  project: ProjectView,
  named: BoundName,
  uses: readonly FoundUse[],
  newName: string,
): Steps {
  const stars = yield* starImportsOf(project, named);
  const lost = yield* losing(project, named, uses, stars);
  if (lost && newName.startsWith('_'))
    refuse(
      `The star import in ${lost.file}:${lost.start.line + 1} would skip "${newName}": star imports skip names that begin with "_".`,
    );
  const byFile = Map.groupBy(uses, (use) => use.file);
  for (const file of new Set([...byFile.keys(), ...stars.map((star) => star.file)])) {
    const isStarred = stars.some((star) => star.file === file);
    const renamed = { oldName: named.name, newName, uses: byFile.get(file) ?? [], isStarred };
    const collision = yield* collisionIn(project, file, renamed);
    if (collision) refuse(collision);
  }
}

/** A star import of a module without `__all__`, through which a use in another file gets the name. */
function* losing(
  project: ProjectView,
  named: BoundName,
  uses: readonly FoundUse[],
  stars: readonly StarImport[],
): Steps<StarImport | null> {
  const users = new Set(uses.map(({ file }) => file));
  users.delete(named.file);
  for (const star of stars) {
    if (project.index.names.factsOf(star.module)?.exported) continue;
    if ((yield* importersOf(project, star.file)).some((file) => users.has(file))) return star;
  }
  return null;
}

function refuse(sentence: string): never {
  throw new ToolkitError('CONFLICT', sentence, { hint: 'Choose another name.' });
}
