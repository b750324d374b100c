/**
 * requirements.txt and pyproject.toml → the requirements that apply to every endpoint. Runs no tools and
 * rejects nothing.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { PROJECT_FILES } from '../../contract/names.ts';
import { normalizeName } from './distributionName.ts';
import type { InterpreterSearch } from './interpreterFolders.ts';
import { readOwnProject } from './ownProject.ts';
import { type FaultyLine, readRequirementsFile } from './requirementsFile.ts';

/** The requirements in the project's files. */
export interface DeclaredRequirements {
  /** As written. */
  texts: readonly string[];
  /** Lines of requirements.txt and of the files that it includes that a build refuses. */
  faults: readonly FaultyLine[];
  /** Whether there may be requirements that could not be read, such as in a file that is not valid TOML. */
  isOpen: boolean;
  /** Normalized names under a heading that builds do not read, each with that heading. */
  unread: ReadonlyMap<string, string>;
  /** Whether the project's build tool computes its dependencies; the toolkit does not run that tool. */
  isDynamic: boolean;
}

/**
 * Reads the requirements of a root.
 *
 * @param pyproject - Text of pyproject.toml when it is open in an editor; null to read the file.
 */
export function declaredRequirements(
  { root, env }: Pick<InterpreterSearch, 'root' | 'env'>,
  pyproject: string | null,
): DeclaredRequirements {
  const lines = readRequirementsFile(root, PROJECT_FILES.requirements, env);
  const { requirements, ownGroups, faults, isOpen } = lines;
  const document = tablesOf(pyproject ?? pyprojectText(root));
  const project = entry(document, 'project');
  const own = readOwnProject(document ?? {});
  const unknown = ownGroups.flatMap(({ groups, at }) => {
    const fault = document && own.groupsFault(groups);
    return fault ? [{ ...at, ...fault }] : [];
  });
  return {
    texts: [...requirements.map(({ text }) => text), ...strings(entry(project, 'dependencies'))],
    faults: [...faults, ...unknown],
    isOpen: isOpen || document === null,
    unread: new Map([...unreadGroups(document, project), ...poetryTables(document)]),
    isDynamic: strings(entry(project, 'dynamic')).includes('dependencies'),
  };
}

/** Null if the text is not valid TOML, which is reported when the project's configuration is read. */
function tablesOf(text: string): object | null {
  if (!/dependencies|dependency-groups/.test(text)) return {};
  try {
    return parse(text);
  } catch {
    return null;
  }
}

type Unread = [name: string, heading: string];

function unreadGroups(document: unknown, project: unknown): Unread[] {
  const of = (table: unknown, heading: string) =>
    entries(table).flatMap(([group, texts]) =>
      strings(texts).flatMap((text): Unread[] => {
        const name = /^\s*([A-Za-z0-9][\w.-]*)/.exec(text)?.[1];
        return name === undefined ? [] : [[normalizeName(name), `${heading} ${group}`]];
      }),
    );
  return [
    ...of(entry(project, 'optional-dependencies'), '[project.optional-dependencies]'),
    ...of(entry(document, 'dependency-groups'), '[dependency-groups]'),
  ];
}

/** Poetry's tables, whose keys are names of distributions. */
function poetryTables(document: unknown): Unread[] {
  const poetry = entry(entry(document, 'tool'), 'poetry');
  const tables: [heading: string, table: unknown][] = [
    ['dependencies', entry(poetry, 'dependencies')],
    ['dev-dependencies', entry(poetry, 'dev-dependencies')],
    ...entries(entry(poetry, 'group')).map(([name, group]): [string, unknown] => [
      `group.${name}.dependencies`,
      entry(group, 'dependencies'),
    ]),
  ];
  return tables.flatMap(([heading, table]) =>
    entries(table).map(([name]): Unread => [normalizeName(name), `[tool.poetry.${heading}]`]),
  );
}

function pyprojectText(root: string): string {
  try {
    return readFileSync(path.join(root, PROJECT_FILES.pyproject), 'utf8').replace(/^\uFEFF/, '');
  } catch {
    // Most projects have one. Reading the project's configuration reports one that cannot be read.
    return '';
  }
}

function entry(parent: unknown, key: string): unknown {
  return entries(parent).find(([name]) => name === key)?.[1];
}

/** Empty for anything except a table. */
function entries(parent: unknown): [name: string, value: unknown][] {
  return typeof parent === 'object' && parent !== null ? Object.entries(parent) : [];
}

/**
 * The strings in a list. An entry `{include-group = …}` is skipped, because the group that it names is read
 * anyway.
 */
function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
