/** A root folder → its files, the ignored ones left out. The same walk serves discovery and shipping. */
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { VIRTUALENV_MARKER } from '../../contract/ignorePatterns.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import { IgnoreRules, isIgnoredFolder, isWithheld, neverShips } from './ignoreRules.ts';

/** One file met by the walk. */
interface ProjectFile {
  /** Relative to the root, with `/`. */
  file: string;
  /** Reached by a link to another place of the project, where it is met under its own name. */
  duplicate: boolean;
}

/** All that the walk met. */
export interface ProjectWalk {
  /** Sorted by code unit. */
  files: ProjectFile[];
  /** Folders and links that could not be opened, with the file system's code, such as `EACCES`. */
  unreadable: { file: string; code: string }[];
}

/** Walks a project. Links are followed once, never in a circle, and special files are left out. */
export function walkProject(root: string): ProjectWalk {
  const walk = new Walk(root);
  walk.folder('', null, false, new Set());
  walk.found.files.sort((a, b) => (a.file < b.file ? -1 : 1));
  return walk.found;
}

class Walk {
  readonly found: ProjectWalk = { files: [], unreadable: [] };
  readonly #root: string;
  readonly #realRoot: string;

  constructor(root: string) {
    this.#root = root;
    this.#realRoot = realpathSync(root);
  }

  /** `around` holds the real paths of linked folders that this one is inside of. */
  folder(folder: string, outer: IgnoreRules | null, duplicate: boolean, around: ReadonlySet<string>): void {
    const absolute = folder === '' ? this.#root : `${this.#root}/${folder}`;
    let entries: Dirent[];
    try {
      entries = readdirSync(absolute, { withFileTypes: true });
    } catch (error) {
      this.#unreadable(folder === '' ? '.' : folder, error);
      return;
    }
    const names = new Set(entries.map((entry) => entry.name));
    if (folder !== '' && (names.has(VIRTUALENV_MARKER) || this.#isNestedProject(absolute, names))) return;
    const rules = IgnoreRules.inside(absolute, folder, names, outer);
    for (const entry of entries) {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) this.#file(file, entry.name, rules, duplicate);
      else if (entry.isDirectory()) this.#enter(file, entry.name, rules, duplicate, around);
      else if (entry.isSymbolicLink()) this.#link(file, entry.name, rules, duplicate, around);
    }
  }

  #file(file: string, name: string, rules: IgnoreRules | null, duplicate: boolean): void {
    if (rules?.ignores(file, false)) return;
    if (neverShips(file, name, false) && !rules?.reincludes(file, false)) return;
    this.found.files.push({ file, duplicate });
  }

  #enter(
    file: string,
    name: string,
    rules: IgnoreRules | null,
    duplicate: boolean,
    around: ReadonlySet<string>,
  ): void {
    if (isIgnoredFolder(name) || rules?.ignores(file, true)) return;
    if (neverShips(file, name, true) && !rules?.reincludes(file, true)) return;
    this.folder(file, rules, duplicate, around);
  }

  #link(
    file: string,
    name: string,
    rules: IgnoreRules | null,
    duplicate: boolean,
    around: ReadonlySet<string>,
  ): void {
    // Editors keep locks as links to nowhere.
    if (name.startsWith('.#') || rules?.ignores(file, false)) return;
    const absolute = `${this.#root}/${file}`;
    let target: string;
    let isFolder: boolean;
    try {
      target = realpathSync(absolute);
      const stats = statSync(target);
      isFolder = stats.isDirectory();
      if (!isFolder && !stats.isFile()) return;
    } catch (error) {
      this.#unreadable(file, error);
      return;
    }
    const inside = target === this.#realRoot || target.startsWith(this.#realRoot + path.sep);
    const place = target.slice((inside ? this.#realRoot : '').length + 1);
    // A key that a link calls by another name is a key.
    if (isWithheld(place, isFolder) && !rules?.reincludes(file, isFolder)) return;
    if (!isFolder) {
      this.#file(file, name, rules, duplicate || inside);
      return;
    }
    const here = realpathSync(path.dirname(absolute));
    const circular = here === target || here.startsWith(target + path.sep) || around.has(target);
    if (!circular) this.#enter(file, name, rules, duplicate || inside, new Set([...around, target]));
  }

  #unreadable(file: string, error: unknown): void {
    this.found.unreadable.push({ file, code: codeOf(error) });
  }

  /** A folder with a `[tool.toolkit]` table of its own is another project. */
  #isNestedProject(absolute: string, names: ReadonlySet<string>): boolean {
    if (!names.has(PROJECT_FILES.pyproject)) return false;
    try {
      const text = readFileSync(`${absolute}/${PROJECT_FILES.pyproject}`, 'utf8');
      return /^[ \t]*\[\[?[ \t]*tool[ \t]*\.[ \t]*toolkit[ \t]*[.\]]|^[ \t]*tool\.toolkit\b/m.test(text);
    } catch {
      // It cannot be read, so it says nothing; opening its Python files tells more.
      return false;
    }
  }
}

/** The file system's code of an error, such as `EACCES`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EIO';
}
