/** A root's folders as they were walked, kept current place by place → its Python files and modules. */
import { statSync } from 'node:fs';
import { ModuleTable } from '../declarations/ModuleTable.ts';
import type { Steps } from '../steps.ts';
import { type ProjectWalk, walkProject, withPlace } from './walkProject.ts';

/** From here on one walk of everything is faster than one for each place. */
const MANY_PLACES = 30;

const NOTHING_MET: ProjectWalk = {
  files: [],
  withheld: { files: [], folders: [], projects: [] },
  unreadable: [],
};

/** What a walk came to, beside what was known before. */
interface Walked {
  walk: ProjectWalk;
  /** Files that were met where something was made, changed or removed. */
  met: ReadonlySet<string>;
}

export class WalkedFolders {
  walk = NOTHING_MET;
  modules = new ModuleTable([]);
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Whether the root is there. */
  exists(): boolean {
    return isFolder(this.#root);
  }

  /** Whether Python files may be at a place, or were. */
  mayHoldPython(place: string): boolean {
    if (place === '' || place.endsWith('.py') || this.modules.isFolder(place)) return true;
    const { withheld, unreadable } = this.walk;
    const met = [withheld.files, withheld.folders, withheld.projects, unreadable.map(({ file }) => file)];
    return met.flat().some((file) => within(file, place)) || isFolder(`${this.#root}/${place}`);
  }

  /**
   * Walks places.
   *
   * @param shown - Files that editors show, which count as being there.
   */
  *at(places: readonly string[], shown: ReadonlySet<string>): Steps<Walked> {
    const met = new Set<string>();
    let { walk } = this;
    for (const place of places.length > MANY_PLACES ? [''] : places) {
      const found = this.exists() ? yield* walkProject(this.#root, place, shown) : NOTHING_MET;
      // A folder of the same name may be another one.
      if (place !== '') for (const { file } of found.files) if (within(file, place)) met.add(file);
      walk = withPlace(walk, place, found);
    }
    return { walk, met };
  }

  /**
   * Takes over a walk.
   *
   * @returns Its Python files, each once.
   */
  *take(walk: ProjectWalk): Steps<ReadonlySet<string>> {
    yield;
    const python = walk.files.filter(({ file }) => file.endsWith('.py'));
    yield;
    const modules = yield* ModuleTable.of(python.map(({ file }) => file));
    const files = new Set(python.flatMap(({ file, duplicate }) => (duplicate ? [] : [file])));
    yield;
    this.walk = walk;
    this.modules = modules;
    return files;
  }
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function within(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}
