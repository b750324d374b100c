/**
 * Imported names → the project's files. A module is identified by its stem: its path from the root, without
 * `.py`.
 */
import type { ImportTarget } from '../binder/FileFacts.ts';
import { isStandardLibrary } from '../binder/standardLibrary.ts';
import type { Steps } from '../steps.ts';

/** The src layout, in which packages are not at the root. */
const SOURCE_FOLDER = 'src';

/** Number of files between two steps. */
const SLICE = 1_000;

export class ModuleTable {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #resolved = new Map<string, string | null>();

  /** Creates the table of the project's Python files, relative to the root with `/`, in steps. */
  static *of(files: readonly string[]): Steps<ModuleTable> {
    const table = new ModuleTable();
    for (const [at, file] of files.entries()) {
      table.#files.add(file);
      table.#addFolders(file);
      if (at % SLICE === SLICE - 1) yield;
    }
    return table;
  }

  #addFolders(file: string): void {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const folder = file.slice(0, end);
      if (this.#folders.has(folder)) break;
      this.#folders.add(folder);
    }
  }

  /** Every Python file, including files that are found by several paths. */
  get files(): Iterable<string> {
    return this.#files;
  }

  /** Whether the project contains this Python file. */
  has(file: string): boolean {
    return this.#files.has(file);
  }

  /** Whether one of the project's Python files is below this folder. */
  isFolder(folder: string): boolean {
    return this.#folders.has(folder);
  }

  /** The stem that an import in a file refers to; null if the module is not in the project. */
  resolve(target: ImportTarget, from: string): string | null {
    const key = `${target.folder}:${target.module}:${ownFolder(from)}`;
    let stem = this.#resolved.get(key);
    if (stem === undefined) {
      stem = this.#resolve(target, from);
      this.#resolved.set(key, stem);
    }
    return stem;
  }

  #resolve(target: ImportTarget, from: string): string | null {
    const parts = target.module === '' ? [] : target.module.split('.');
    if (target.folder === undefined) return null;
    if (target.folder !== null) return this.#existing(join(target.folder, parts));
    const first = parts[0];
    if (first === undefined) return null;
    for (const folder of this.searchPath(first, from)) {
      if (this.#exists(join(folder, [first]))) return this.#existing(join(folder, parts));
    }
    return null;
  }

  /** The stem of the module `name` in a package; null when there is no such module. */
  child(stem: string, name: string): string | null {
    return this.#existing(join(stem, [name]));
  }

  /** The file that runs when a stem is imported; null for a folder without `__init__.py`. */
  fileOf(stem: string): string | null {
    const initial = stem === '' ? '__init__.py' : `${stem}/__init__.py`;
    if (this.#files.has(initial)) return initial;
    return this.#files.has(`${stem}.py`) ? `${stem}.py` : null;
  }

  /**
   * Folders in which to search for a module. Workers search the root and `src`. Scripts also search their own
   * folder, after the standard library.
   */
  searchPath(first: string, from: string): string[] {
    const own = ownFolder(from);
    const path = ['', SOURCE_FOLDER];
    if (own !== '' && !isStandardLibrary(first)) path.push(own);
    return path;
  }

  #existing(stem: string): string | null {
    return this.#exists(stem) ? stem : null;
  }

  #exists(stem: string): boolean {
    return stem === '' || this.#files.has(`${stem}.py`) || this.#folders.has(stem);
  }
}

/** The name of a file as a module: its path with dots, without `.py` or `/__init__.py`. */
export function moduleOfFile(file: string): string {
  return file
    .replace(/\.py$/, '')
    .replace(/\/__init__$/, '')
    .replaceAll('/', '.');
}

function ownFolder(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')));
}

function join(folder: string, parts: readonly string[]): string {
  return [...(folder === '' ? [] : [folder]), ...parts].join('/');
}
