/** A root folder → its files, the ignored ones left out. The same walk serves discovery and shipping. */
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { VIRTUALENV_MARKER } from '../../contract/ignorePatterns.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import { configuresToolkit } from '../projectConfig.ts';
import type { Steps } from '../steps.ts';
import { IgnoreRules, isIgnoredFolder, isWithheld, neverShips } from './ignoreRules.ts';

/** One file met by the walk. */
interface ProjectFile {
  /** Relative to the root, with `/`. */
  file: string;
  /** Reached by a link to another place of the project, where it is met under its own name. */
  duplicate: boolean;
}

/** What does not ship, relative to the root. */
export interface Withheld {
  files: string[];
  folders: string[];
  /** Folders that are projects of their own. */
  projects: string[];
}

/** All that the walk met. */
export interface ProjectWalk {
  /** Sorted by code unit. */
  files: ProjectFile[];
  /** Python files that were left out, and folders that were not entered; built-in ones are not listed. */
  withheld: Withheld;
  /** Folders and links that could not be opened, with the file system's code, such as `EACCES`. */
  unreadable: { file: string; code: string }[];
}

/**
 * Walks a project, a step for each folder. Links are followed once, never in a circle, and special files are left out.
 *
 * @param place - A file or folder, relative to the root: only what stands there is looked for. All when empty.
 * @param unsaved - Files that an editor shows: they are met in their folders also where they are not on disk.
 */
export function* walkProject(
  root: string,
  place = '',
  unsaved: ReadonlySet<string> = new Set(),
): Steps<ProjectWalk> {
  const walk = new Walk(root, place, unsaved);
  yield* walk.folder('', null, { duplicate: false, around: new Set(), chosen: false });
  walk.found.files.sort(byFile);
  return walk.found;
}

/** What a walk met, with what a later walk of one place of it `found` there; the same object when that is no other. */
export function withPlace(walk: ProjectWalk, place: string, found: ProjectWalk): ProjectWalk {
  const elsewhere = (file: string) => place !== '' && file !== place && !file.startsWith(`${place}/`);
  // Folders around the place are met again on the way to it.
  const both = (known: readonly string[], met: readonly string[]) => [
    ...new Set([...known.filter(elsewhere), ...met]),
  ];
  const met = new Set(found.unreadable.map(({ file }) => file));
  const together: ProjectWalk = {
    files: [...walk.files.filter(({ file }) => elsewhere(file)), ...found.files].sort(byFile),
    withheld: {
      files: both(walk.withheld.files, found.withheld.files),
      folders: both(walk.withheld.folders, found.withheld.folders),
      projects: both(walk.withheld.projects, found.withheld.projects),
    },
    unreadable: [
      ...walk.unreadable.filter(({ file }) => elsewhere(file) && !met.has(file)),
      ...found.unreadable,
    ],
  };
  return isDeepStrictEqual(inOrder(walk), inOrder(together)) ? walk : together;
}

/** Withheld places have no order of their own. */
function inOrder({ files, withheld, unreadable }: ProjectWalk) {
  return [
    files,
    withheld.files.toSorted(),
    withheld.folders.toSorted(),
    withheld.projects.toSorted(),
    unreadable,
  ];
}

function byFile(a: ProjectFile, b: ProjectFile): number {
  return a.file < b.file ? -1 : 1;
}

/** How a folder was reached. */
interface Way {
  /** By a link to another place of the project. */
  duplicate: boolean;
  /** Real paths of linked folders that it is inside of. */
  around: ReadonlySet<string>;
  /** It is ignored, and only what `.toolkitignore` names with `!` counts in it. */
  chosen: boolean;
}

class Walk {
  readonly found: ProjectWalk = {
    files: [],
    withheld: { files: [], folders: [], projects: [] },
    unreadable: [],
  };
  readonly #root: string;
  readonly #realRoot: string;
  readonly #place: string;
  readonly #unsaved: ReadonlySet<string>;

  constructor(root: string, place: string, unsaved: ReadonlySet<string>) {
    this.#root = root;
    this.#realRoot = realpathSync(root);
    this.#place = place;
    this.#unsaved = unsaved;
  }

  *folder(folder: string, outer: IgnoreRules | null, way: Way): Steps {
    yield;
    const absolute = folder === '' ? this.#root : `${this.#root}/${folder}`;
    let entries: Dirent[];
    try {
      entries = readdirSync(absolute, { withFileTypes: true });
    } catch (error) {
      this.#unreadable(folder === '' ? '.' : folder, error);
      return;
    }
    const names = new Set(entries.map((entry) => entry.name));
    if (folder !== '' && names.has(VIRTUALENV_MARKER)) return;
    if (folder !== '' && this.#isNestedProject(absolute, names)) {
      this.found.withheld.projects.push(folder);
      return;
    }
    const rules = IgnoreRules.inside(absolute, folder, names, outer);
    // What is nearly in order already is sorted in a moment at the end.
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!this.#isOnTheWay(file)) continue;
      if (entry.isFile()) this.#file(file, entry.name, rules, way);
      else if (entry.isDirectory()) yield* this.#enter(file, entry.name, rules, way);
      else if (entry.isSymbolicLink()) yield* this.#link(file, entry.name, rules, way);
    }
    for (const file of this.#unsaved) {
      const name = path.posix.basename(file);
      const isHere = file === (folder === '' ? name : `${folder}/${name}`);
      if (isHere && !names.has(name) && this.#isOnTheWay(file)) this.#file(file, name, rules, way);
    }
  }

  /** The place itself, a folder around it, or something in it. */
  #isOnTheWay(file: string): boolean {
    const place = this.#place;
    return place === '' || file === place || place.startsWith(`${file}/`) || file.startsWith(`${place}/`);
  }

  #file(file: string, name: string, rules: IgnoreRules | null, way: Way): void {
    if (this.#ships(file, name, false, rules, way)) {
      this.found.files.push({ file, duplicate: way.duplicate });
    } else if (name.endsWith('.py')) {
      this.found.withheld.files.push(file);
    }
  }

  *#enter(file: string, name: string, rules: IgnoreRules | null, way: Way): Steps {
    if (isIgnoredFolder(name)) return;
    if (this.#ships(file, name, true, rules, way)) {
      // What stands around a folder that was chosen out of an ignored one no longer holds for it.
      yield* this.folder(file, way.chosen ? null : rules, { ...way, chosen: false });
    } else {
      this.found.withheld.folders.push(file);
      if (rules?.reincludesBelow(file)) yield* this.folder(file, rules, { ...way, chosen: true });
    }
  }

  #ships(file: string, name: string, isFolder: boolean, rules: IgnoreRules | null, way: Way): boolean {
    if (way.chosen) return rules?.reincludes(file, isFolder) ?? false;
    if (rules?.ignores(file, isFolder)) return false;
    return !neverShips(file, name, isFolder) || (rules?.reincludes(file, isFolder) ?? false);
  }

  *#link(file: string, name: string, rules: IgnoreRules | null, way: Way): Steps {
    // Editors keep locks as links to nowhere.
    if (name.startsWith('.#') || (!way.chosen && rules?.ignores(file, false))) return;
    const absolute = `${this.#root}/${file}`;
    let target: string;
    let isFolder: boolean;
    try {
      target = realpathSync(absolute);
      const stats = statSync(target);
      isFolder = stats.isDirectory();
      if (!isFolder && !stats.isFile()) return;
    } catch (error) {
      // Data that is not there yet is no fault of the source.
      if (name.endsWith('.py') || codeOf(error) !== 'ENOENT') this.#unreadable(file, error);
      return;
    }
    const inside = target === this.#realRoot || target.startsWith(this.#realRoot + path.sep);
    const place = target.slice((inside ? this.#realRoot : '').length + 1);
    // A key that a link calls by another name is a key.
    if (isWithheld(place, isFolder) && !rules?.reincludes(file, isFolder)) return;
    const duplicate = way.duplicate || inside;
    if (!isFolder) {
      this.#file(file, name, rules, { ...way, duplicate });
      return;
    }
    const here = realpathSync(path.dirname(absolute));
    const circular = here === target || here.startsWith(target + path.sep) || way.around.has(target);
    if (circular) return;
    yield* this.#enter(file, name, rules, { ...way, duplicate, around: new Set([...way.around, target]) });
  }

  #unreadable(file: string, error: unknown): void {
    this.found.unreadable.push({ file, code: codeOf(error) });
  }

  /** A folder with a `[tool.toolkit]` table of its own is another project. */
  #isNestedProject(absolute: string, names: ReadonlySet<string>): boolean {
    if (!names.has(PROJECT_FILES.pyproject)) return false;
    try {
      return configuresToolkit(readFileSync(`${absolute}/${PROJECT_FILES.pyproject}`, 'utf8'));
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
