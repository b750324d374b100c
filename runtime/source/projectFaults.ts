/** `[project]` of pyproject.toml, and `.python-version` → what a build refuses of them. */
import type { Range } from '../contract/diagnostic.ts';
import { PROJECT_FILES } from '../contract/names.ts';
import type { Expression } from './binder/Expression.ts';
import { requirementFault } from './environment/requirementFault.ts';
import type { LineFault } from './environment/requirementLineFault.ts';
import { type FaultyLine, START_OF_FILE } from './environment/requirementsFile.ts';
import { isSpecifier } from './environment/versionSpecifier.ts';
import type { ProjectConfig } from './reading.ts';
import { readPyprojectAt } from './readTables.ts';
import { allowsPython, SUPPORTED_PYTHONS } from './requiresPython.ts';

const OLDEST = SUPPORTED_PYTHONS[0]!;
const NEWEST = SUPPORTED_PYTHONS.at(-1)!;

/**
 * Finds the faults, with their places.
 *
 * @param text - The text of pyproject.toml, which is valid TOML; null when there is none.
 */
export async function projectFaults(text: string | null, config: ProjectConfig): Promise<FaultyLine[]> {
  const dependencies = config.dependencies.map(requirementFault);
  const python = requiresPythonFault(config);
  const chosen = chosenPythonFault(config);
  const found: FaultyLine[] = chosen
    ? [{ file: PROJECT_FILES.pythonVersion, range: START_OF_FILE, ...chosen }]
    : [];
  // Only a faulty text is parsed with places, which costs 10 ms.
  if (text === null || (!python && dependencies.every((fault) => fault === null))) return found;
  const { value } = await readPyprojectAt(text, ['project']);
  const at = (range: Range | undefined, fault: LineFault) =>
    found.push({ file: PROJECT_FILES.pyproject, range: range ?? START_OF_FILE, ...fault });
  if (python) at(entryOf(value, 'requires-python')?.range, python);
  const listed = entryOf(value, 'dependencies');
  const items = listed?.kind === 'sequence' ? listed.items : [];
  for (const [index, fault] of dependencies.entries())
    if (fault) at(items[index]?.range, { message: `The project ${fault.problem}.`, fix: fault.fix });
  return found;
}

function requiresPythonFault({ requiresPython, python, isPythonOfFile }: ProjectConfig): LineFault | null {
  if (requiresPython === null) return null;
  const required = `requires-python is "${requiresPython}"`;
  if (!isSpecifier(requiresPython)) {
    return {
      message: `${required}, which is not a version specifier.`,
      fix: 'For example: requires-python = ">=3.11".',
    };
  }
  if (!SUPPORTED_PYTHONS.some((minor) => allowsPython(requiresPython, minor))) {
    return {
      message: `${required}, which allows none of the supported versions ${OLDEST} to ${NEWEST}.`,
      fix: 'Allow one of them.',
    };
  }
  if (python === null || allowsPython(requiresPython, python)) return null;
  const chosenBy = isPythonOfFile ? PROJECT_FILES.pythonVersion : '[tool.toolkit] python';
  return { message: `${required}, but ${chosenBy} chooses Python ${python}.`, fix: 'Change one of them.' };
}

function chosenPythonFault({ python, isPythonOfFile }: ProjectConfig): LineFault | null {
  if (!isPythonOfFile || python === null || SUPPORTED_PYTHONS.includes(python)) return null;
  return {
    message: `This file chooses Python ${python}, which is none of the supported versions ${OLDEST} to ${NEWEST}.`,
    fix: 'Choose one of them, here or with "python" under [tool.toolkit] in pyproject.toml.',
  };
}

function entryOf(table: Expression | null, name: string): Expression | null {
  if (table?.kind !== 'dict') return null;
  return table.entries.find(({ key }) => key?.kind === 'string' && key.value === name)?.value ?? null;
}
