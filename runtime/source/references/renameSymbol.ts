/**
 * A function, class or instance of an endpoint, and a new name → the edits that rename it in the whole
 * project.
 */
import { ToolkitError } from '../../contract/errors.ts';
import { isValidName, NAME_RULE } from '../../contract/names.ts';
import type { Declaration } from '../declarations/Declaration.ts';
import { moduleOfFile } from '../declarations/ModuleTable.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import { takeTurns } from '../steps.ts';
import { PYTHON_KEYWORDS } from '../syntax/pythonKeywords.ts';
import type { BoundName } from './BoundName.ts';
import { declarationsOfName } from './endpointSites.ts';
import { findUses } from './findUses.ts';
import { nameArgument } from './nameArgument.ts';
import type { RenameEdit } from './RenameEdit.ts';
import { refuseCollisions } from './refuseCollisions.ts';
import { refuseTakenName, textsThatMayMean } from './renameName.ts';

const IDENTIFIER = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$/u;

/**
 * Renames a function, class or instance; its aliases keep their names. A queue-based endpoint that is named after its
 * function is renamed with it.
 *
 * @throws ToolkitError VALIDATION_ERROR when the new name is not valid, CONFLICT when it already means something else.
 */
export async function renameSymbol(
  project: ProjectView,
  named: BoundName,
  newName: string,
  signal: AbortSignal,
): Promise<RenameEdit[]> {
  if (!IDENTIFIER.test(newName) || PYTHON_KEYWORDS.has(newName)) {
    throw new ToolkitError('VALIDATION_ERROR', `"${newName}" is not a valid Python name.`, {
      hint: 'Use letters, digits and "_", beginning with a letter.',
    });
  }
  if (newName === named.name) return [];
  const followers = declarationsOfName(project.index, named).filter((declaration) =>
    isNamedAfter(declaration, named),
  );
  if (followers.length > 0) checkEndpointName(project, named.name, newName);
  const uses = await findUses(project, named, 'name', signal);
  await takeTurns(refuseCollisions(project, named, uses, newName), signal);
  const reason = followers.length > 0 ? 'follows' : 'certain';
  const edits = uses.map(
    ({ file, range, isCertain }): RenameEdit => ({
      file,
      range,
      text: newName,
      reason: isCertain ? reason : 'maybe',
    }),
  );
  edits.push(...(await importTexts(project, named, newName, signal)));
  if (followers.length === 0) return edits;
  const texts = await textsThatMayMean(project, named.name, newName, edits, signal);
  const kept = followers.flatMap((declaration) => nameArgument(project, declaration, named.name) ?? []);
  return [...edits, ...texts, ...kept.map((edit): RenameEdit => ({ ...edit, reason: 'keeps' }))];
}

/**
 * Strings that contain the name with its module, such as `patch("gpu.resize")` or the entry point
 * `gpu:resize`.
 */
async function importTexts(
  project: ProjectView,
  { file, scope, name }: BoundName,
  newName: string,
  signal: AbortSignal,
): Promise<RenameEdit[]> {
  const module = moduleOfFile(file);
  if (scope !== 0 || module === '') return [];
  const found = [`${module}.`, `${module}:`].map((start) =>
    textsThatMayMean(project, start + name, start + newName, [], signal),
  );
  return (await Promise.all(found)).flat();
}

/**
 * Whether a declaration is a queue-based endpoint without a `name` argument that serves the function or class
 * with this name.
 */
function isNamedAfter({ kind, name, served }: Declaration, { file, scope, name: own }: BoundName): boolean {
  const [first] = served;
  if (kind !== 'queue' || name.state !== 'absent' || first?.file !== file) return false;
  return first.definition.name === own && first.definition.scope === scope;
}

function checkEndpointName(project: ProjectView, oldName: string, newName: string): void {
  if (!isValidName(newName)) {
    throw new ToolkitError(
      'VALIDATION_ERROR',
      `The endpoint "${oldName}" is named after its function, and "${newName}" is not a valid endpoint name: use ${NAME_RULE}.`,
      { hint: `First give the endpoint a name: name="${oldName}".` },
    );
  }
  refuseTakenName(project, oldName, newName);
}
