/** A root folder → its files, without the ignored ones. Discovery and shipping use the same walk. */
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { VIRTUALENV_MARKER } from '../../contract/ignorePatterns.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import { configuresToolkit } from '../projectConfig.ts';
import type { Steps } from '../steps.ts';
import { IgnoreRules, isIgnoredFolder, isWithheld, neverShips } from './ignoreRules.ts';

/** Files and folders that do not ship, relative to the root. */
export interface Withheld {
  files: string[];
  folders: string[];
  /** Folders that are separate projects. */
  projects: string[];
}

/** Everything that the walk found. */
export interface ProjectWalk {
  /** Relative to the root, with `/`, sorted by code unit. */
  files: string[];
  /**
   * Files that are reached through a link to another path of the project, and so are found at that path too.
   */
  duplicates: ReadonlySet<string>;
  /** Python files and folders that were excluded; `IGNORED_FOLDERS` are not listed. */
  withheld: Withheld;
  /** Folders and links that could not be opened, with the file system's code, such as `EACCES`. */
  unreadable: { file: string; code: string }[];
}

/**
 * Walks a project, one step for each folder. Follows symbolic links, but never in a circle, and skips special
 * files.
 *
 * @param place - A file or folder, relative to the root, to which the walk is limited; the whole root when
 *   empty.
 * @param unsaved - Files that are open in an editor. They are found in their folders even when they are not
 *   on disk.
 */
export function* walkProject(
  root: string,
  place = '',
  unsaved: ReadonlySet<string> = new Set(),
): Steps<ProjectWalk> {
  const walk = new Walk(root, place, unsaved);
  yield* walk.folder('', null, { duplicate: false, around: new Set(), chosen: false });
  walk.found.files.sort();
  return walk.found;
}

/**
 * Merges the result of a later walk at one path into a walk. Returns the same object when nothing differs.
 */
export function withPlace(walk: ProjectWalk, place: string, found: ProjectWalk): ProjectWalk {
  const elsewhere = (file: string) => place !== '' && file !== place && !file.startsWith(`${place}/`);
  // The folders around the path are found again on the way to the path.
  const both = (known: readonly string[], met: readonly string[]) => [
    ...new Set([...known.filter(elsewhere), ...met]),
  ];
  const met = new Set(found.unreadable.map(({ file }) => file));
  const together: ProjectWalk = {
    files: [...walk.files.filter(elsewhere), ...found.files].sort(),
    duplicates: new Set([...[...walk.duplicates].filter(elsewhere), ...found.duplicates]),
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

/** Sorts the withheld paths, whose order has no meaning. */
function inOrder({ files, duplicates, withheld, unreadable }: ProjectWalk) {
  return [
    files,
    duplicates,
    withheld.files.toSorted(),
    withheld.folders.toSorted(),
    withheld.projects.toSorted(),
    unreadable,
  ];
}

/** How a folder was reached. */
interface Way {
  /** Whether it was reached through a link to another path of the project. */
  duplicate: boolean;
  /** Real paths of the linked folders that contain this folder. */
  around: ReadonlySet<string>;
  /**
   * Whether the folder is ignored, so that only paths listed with `!` in `.toolkitignore` are found in it.
   */
  chosen: boolean;
}

class Walk {
  readonly #duplicates = new Set<string>();
  readonly found: ProjectWalk = {
    files: [],
    duplicates: this.#duplicates,
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
    // Files that are already nearly sorted are sorted quickly at the end.
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    // All paths of the folder share this string in memory.
    const before = folder === '' ? '' : `${folder}/`;
    for (const entry of entries) {
      const file = before + entry.name;
      if (!this.#isOnTheWay(file)) continue;
      if (entry.isFile()) this.#file(file, entry.name, rules, way);
      else if (entry.isDirectory()) yield* this.#enter(file, entry.name, rules, way);
      else if (entry.isSymbolicLink()) yield* this.#link(file, entry.name, rules, way);
    }
    for (const file of this.#unsaved) {
      const name = path.posix.basename(file);
      const isHere = file === before + name;
      if (isHere && !names.has(name) && this.#isOnTheWay(file)) this.#file(file, name, rules, way);
    }
  }

  /** Whether a path is the path to walk, a folder around it, or inside it. */
  #isOnTheWay(file: string): boolean {
    const place = this.#place;
    return place === '' || file === place || place.startsWith(`${file}/`) || file.startsWith(`${place}/`);
  }

  #file(file: string, name: string, rules: IgnoreRules | null, way: Way): void {
    if (this.#ships(file, name, false, rules, way)) {
      this.found.files.push(file);
      if (way.duplicate) this.#duplicates.add(file);
    } else if (name.endsWith('.py')) {
      this.found.withheld.files.push(file);
    }
  }

  *#enter(file: string, name: string, rules: IgnoreRules | null, way: Way): Steps {
    if (isIgnoredFolder(name)) return;
    if (this.#ships(file, name, true, rules, way)) {
      // If a folder is re-included inside an ignored folder, the rules around it do not apply inside it.
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
    // Editors use dangling links as lock files.
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
      // A link to data that does not exist yet is not an error in the source.
      if (name.endsWith('.py') || codeOf(error) !== 'ENOENT') this.#unreadable(file, error);
      return;
    }
    const inside = target === this.#realRoot || target.startsWith(this.#realRoot + path.sep);
    const place = target.slice((inside ? this.#realRoot : '').length + 1);
    // A link must not ship a key under another name.
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

  /** Whether a folder has its own `[tool.toolkit]` table, which makes it a separate project. */
  #isNestedProject(absolute: string, names: ReadonlySet<string>): boolean {
    if (!names.has(PROJECT_FILES.pyproject)) return false;
    try {
      return configuresToolkit(readFileSync(`${absolute}/${PROJECT_FILES.pyproject}`, 'utf8'));
    } catch {
      // A folder whose pyproject.toml cannot be read is walked like any other.
      return false;
    }
  }
}

/** The file system's error code, such as `EACCES`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EIO';
}
