/** `[project] dependencies` of pyproject.toml → those that a build refuses. */
import { PROJECT_FILES } from '../contract/names.ts';
import { requirementFault } from './environment/requirementFault.ts';
import type { FaultyLine } from './environment/requirementsFile.ts';
import { readPyprojectAt } from './readTables.ts';

/**
 * Finds the faulty requirements, with their places.
 *
 * @param text - The text of pyproject.toml, which is valid TOML.
 * @param dependencies - The requirements in it.
 */
export async function faultyDependencies(
  text: string | null,
  dependencies: readonly string[],
): Promise<FaultyLine[]> {
  // Only a faulty text is parsed with places, which costs 10 ms.
  if (text === null || !dependencies.some((one) => requirementFault(one))) return [];
  const { value } = await readPyprojectAt(text, ['project', 'dependencies']);
  const items = value?.kind === 'sequence' ? value.items : [];
  return items.flatMap(({ range }, at) => {
    const fault = requirementFault(dependencies[at]!);
    if (!fault) return [];
    return [
      { file: PROJECT_FILES.pyproject, range, message: `The project ${fault.problem}.`, fix: fault.fix },
    ];
  });
}
