/**
 * requirements.txt and pyproject.toml → the requirements that apply to every endpoint. Runs no tools and
 * rejects nothing.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { PROJECT_FILES } from '../../contract/names.ts';
import { normalizeName } from './distributionName.ts';
import { decodeRequirements, requirementLines } from './requirementLines.ts';

/** The requirements in the project's files. */
export interface DeclaredRequirements {
  /** As written. */
  texts: readonly string[];
  /**
   * Whether there may be requirements that could not be read: a local folder, or a file that is not valid
   * TOML or not UTF-8.
   */
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
export function declaredRequirements(root: string, pyproject: string | null): DeclaredRequirements {
  const reader = new Reader(root);
  reader.follow(PROJECT_FILES.requirements);
  reader.pyproject(pyproject);
  const { texts, isOpen, unread, isDynamic } = reader;
  return { texts, isOpen, unread, isDynamic };
}

class Reader implements DeclaredRequirements {
  readonly texts: string[] = [];
  readonly unread = new Map<string, string>();
  isDynamic = false;
  isOpen = false;
  readonly #root: string;
  readonly #followed = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Reads a requirements file and the files that it includes, each once. */
  follow(file: string): void {
    const absolute = path.resolve(this.#root, file);
    if (this.#followed.has(absolute)) return;
    this.#followed.add(absolute);
    const text = decodeRequirements(bytesOf(absolute));
    if (text === null) this.isOpen = true;
    for (const line of requirementLines(text ?? '', file)) {
      if (line.kind === 'requirement') this.texts.push(line.text);
      else if (line.kind === 'include') this.follow(line.file);
      else if (line.kind === 'local') this.isOpen = true;
    }
  }

  /** `[project] dependencies`, and what the file requires elsewhere. */
  pyproject(open: string | null): void {
    const text = open ?? this.#pyprojectText();
    if (!/dependencies|dependency-groups/.test(text)) return;
    let document: object;
    try {
      document = parse(text);
    } catch {
      // Invalid TOML is reported when the project's configuration is read; what the file requires is unknown.
      this.isOpen = true;
      return;
    }
    this.#poetry(entry(entry(document, 'tool'), 'poetry'));
    const project = entry(document, 'project');
    this.isDynamic = strings(entry(project, 'dynamic')).includes('dependencies');
    this.texts.push(...strings(entry(project, 'dependencies')));
    const extras = entries(entry(project, 'optional-dependencies'));
    const groups = entries(entry(document, 'dependency-groups'));
    for (const [name, texts] of extras) this.#optional(`[project.optional-dependencies] ${name}`, texts);
    for (const [name, texts] of groups) this.#optional(`[dependency-groups] ${name}`, texts);
  }

  #optional(heading: string, texts: unknown): void {
    for (const text of strings(texts)) {
      const name = /^\s*([A-Za-z0-9][\w.-]*)/.exec(text)?.[1];
      if (name !== undefined) this.unread.set(normalizeName(name), heading);
    }
  }

  /** Poetry's tables, whose keys are names of distributions. */
  #poetry(poetry: unknown): void {
    const tables: [heading: string, table: unknown][] = [
      ['dependencies', entry(poetry, 'dependencies')],
      ['dev-dependencies', entry(poetry, 'dev-dependencies')],
      ...entries(entry(poetry, 'group')).map(([name, group]): [string, unknown] => [
        `group.${name}.dependencies`,
        entry(group, 'dependencies'),
      ]),
    ];
    for (const [heading, table] of tables) {
      for (const [name] of entries(table)) this.unread.set(normalizeName(name), `[tool.poetry.${heading}]`);
    }
  }

  #pyprojectText(): string {
    const bytes = bytesOf(path.join(this.#root, PROJECT_FILES.pyproject));
    return bytes.toString('utf8').replace(/^\uFEFF/, '');
  }
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    // The build reports a missing file that it needs.
    return Buffer.alloc(0);
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
