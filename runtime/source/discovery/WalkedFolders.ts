/**
 * The folders of a root, as found by the last walk and updated path by path → its Python files and modules.
 */
import { type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_FILES } from '../../contract/names.ts';
import { ModuleTable } from '../declarations/ModuleTable.ts';
import type { Steps } from '../steps.ts';
import { type ProjectWalk, walkProject, withPlace } from './walkProject.ts';

/** Above this many paths, one walk of the whole root is faster than a walk for each path. */
const MANY_PLACES = 30;

/** Files that decide which other files of their folder belong to the project. */
const WALK_RULES: ReadonlySet<string> = new Set([
  '.gitignore',
  PROJECT_FILES.ignore,
  PROJECT_FILES.pyproject,
]);

const NOTHING_MET: ProjectWalk = {
  files: [],
  duplicates: new Set(),
  withheld: { files: [], folders: [], projects: [] },
  unreadable: [],
};

/** The result of a walk, merged with the previous walk. */
interface Walked {
  walk: ProjectWalk;
  /** Files found at the paths where something was created, changed or deleted. */
  met: ReadonlySet<string>;
}

export class WalkedFolders {
  walk = NOTHING_MET;
  modules = new ModuleTable();
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Whether the root exists. */
  exists(): boolean {
    return statOf(this.#root)?.isDirectory() ?? false;
  }

  /** Where to walk after a change at a path; null when a walk would not find anything new. */
  toWalk(place: string): string | null {
    if (!WALK_RULES.has(path.posix.basename(place))) return this.#mayDiffer(place) ? place : null;
    const folder = path.posix.dirname(place);
    return folder === '.' ? '' : folder;
  }

  #mayDiffer(place: string): boolean {
    if (place === '' || place.endsWith('.py') || this.modules.isFolder(place)) return true;
    const found = statOf(`${this.#root}/${place}`);
    if (found?.isDirectory() || this.walk.files.includes(place) !== (found !== null)) return true;
    const { withheld, unreadable } = this.walk;
    const met = [withheld.files, withheld.folders, withheld.projects, unreadable.map(({ file }) => file)];
    return met.flat().some((file) => within(file, place));
  }

  /**
   * Walks some paths of the root.
   *
   * @param shown - Files that are open in editors; they count as existing.
   */
  *at(places: readonly string[], shown: ReadonlySet<string>): Steps<Walked> {
    const met = new Set<string>();
    let { walk } = this;
    for (const place of places.length > MANY_PLACES ? [''] : places) {
      const found = this.exists() ? yield* walkProject(this.#root, place, shown) : NOTHING_MET;
      // A folder may have been replaced by another folder of the same name.
      if (place !== '') for (const file of found.files) if (within(file, place)) met.add(file);
      walk = withPlace(walk, place, found);
    }
    return { walk, met };
  }

  /**
   * Makes a walk the current one.
   *
   * @returns The Python files of the walk, each once.
   */
  *take(walk: ProjectWalk): Steps<ReadonlySet<string>> {
    yield;
    const python = walk.files.filter((file) => file.endsWith('.py'));
    yield;
    const modules = yield* ModuleTable.of(python);
    const files = new Set(python.filter((file) => !walk.duplicates.has(file)));
    yield;
    this.walk = walk;
    this.modules = modules;
    return files;
  }
}

/** Null when the path does not exist or cannot be reached. */
function statOf(place: string): Stats | null {
  return statSync(place, { throwIfNoEntry: false }) ?? null;
}

function within(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}
