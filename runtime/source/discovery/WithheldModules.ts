/** Python modules in the project's folder that do not ship → the files that imports of them would need. */
import { existsSync } from 'node:fs';
import type { ImportTarget } from '../binder/FileFacts.ts';
import { importTarget } from '../binder/readImport.ts';
import { isStandardLibrary } from '../binder/standardLibrary.ts';
import type { ModuleTable } from '../declarations/ModuleTable.ts';
import type { Withheld } from './walkProject.ts';

/** Up to this many names, searching for each name's bytes is faster than decoding the file. */
const FEW_NAMES = 16;

/** `from module import names`, with or without parentheses, or `import modules`. */
const IMPORT =
  /^[ \t]*(?:from\s+([\w.][\w. ]*?)\s+import\b[ \t]*(\([^)]*\)|[^\n]*)|import\b[ \t]+([^\n]*))/gm;

/** An import whose text contains the name of a withheld module. */
export interface Candidate {
  target: ImportTarget;
  /** The names in `from module import names`; empty for `import module`. */
  names: readonly string[];
}

const NO_CANDIDATES: readonly Candidate[] = [];

export class WithheldModules {
  readonly #root: string;
  readonly #withheld: Withheld;
  readonly #files: ReadonlySet<string>;
  readonly #folders: readonly string[];
  readonly #projects: readonly string[];
  readonly #names: readonly Buffer[];
  readonly #anyName: RegExp | null;
  /** Files in withheld folders → whether they exist. Contains each file that was looked up. */
  readonly #onDisk = new Map<string, boolean>();

  constructor(root: string, withheld: Withheld) {
    const { files, folders, projects } = withheld;
    this.#root = root;
    this.#withheld = withheld;
    this.#files = new Set(files);
    this.#projects = projects;
    this.#folders = [...folders, ...projects];
    const names = new Set(
      [...files, ...this.#folders].map((file) => file.slice(file.lastIndexOf('/') + 1).replace(/\.py$/, '')),
    );
    const importable = [...names].filter((name) => /^[A-Za-z_]\w*$/.test(name));
    this.#names = importable.map((name) => Buffer.from(name));
    this.#anyName = importable.length === 0 ? null : new RegExp(`\\b(?:${importable.join('|')})\\b`);
  }

  /** Whether no withheld module can be imported. */
  get isEmpty(): boolean {
    return this.#anyName === null;
  }

  /**
   * The withheld modules that a file may import, found before the file is parsed, in lines that begin like an
   * import. Only such lines count, because most projects exclude a folder such as `build`, whose name is in
   * many files. The result depends only on this file, not on which other files exist.
   */
  candidatesIn(bytes: Buffer, file: string): readonly Candidate[] {
    if (!this.#anyName) return NO_CANDIDATES;
    if (this.#names.length <= FEW_NAMES && !this.#names.some((name) => bytes.includes(name)))
      return NO_CANDIDATES;
    const text = bytes.toString('latin1');
    const found = [...text.matchAll(IMPORT)].flatMap((match): Candidate[] => {
      if (!this.#anyName!.test(match[0])) return [];
      const [, from, list = '', plain = ''] = match;
      if (from === undefined)
        return namesIn(plain).map((name) => ({ target: importTarget(name, file), names: [] }));
      return [{ target: importTarget(from.replace(/\s/g, ''), file), names: namesIn(list) }];
    });
    return found.length === 0 ? NO_CANDIDATES : found;
  }

  /** Whether a candidate import of a file needs a file that does not ship. */
  isMissed(modules: ModuleTable, { target, names }: Candidate, from: string): boolean {
    return (
      this.missedBy(modules, target, from) !== null ||
      names.some((name) => this.missedMember(modules, target, from, name) !== null)
    );
  }

  /**
   * The withheld modules after changes on disk; the same object when no file that was looked up was created or deleted.
   */
  refreshed(places: readonly string[]): WithheldModules {
    const now = new WithheldModules(this.#root, this.#withheld);
    let isSame = true;
    for (const [file, was] of this.#onDisk) {
      const isThere = places.some((place) => within(file, place)) ? now.#isOnDisk(file) : was;
      now.#onDisk.set(file, isThere);
      isSame &&= isThere === was;
    }
    return isSame ? this : now;
  }

  /**
   * The file that the module of an import statement needs and that does not ship; null when there is none.
   */
  missedBy(modules: ModuleTable, target: ImportTarget, from: string): string | null {
    for (const folder of this.#beginnings(modules, target, from)) {
      const missed = this.#missed(modules, folder, partsOf(target));
      if (missed !== null) return missed;
    }
    return null;
  }

  /** Like `missedBy`, for one name of `from package import name`. */
  missedMember(modules: ModuleTable, target: ImportTarget, from: string, name: string): string | null {
    for (const folder of this.#beginnings(modules, target, from)) {
      const stem = [folder, ...partsOf(target)].reduce(join);
      if (modules.child(stem, name) !== null) return null;
      const missed = this.#fileOf(join(stem, name));
      if (missed !== null) return missed;
    }
    return null;
  }

  /** The nested project that a file belongs to; null when the file is just excluded. */
  projectOf(file: string): string | null {
    return this.#projects.find((folder) => file.startsWith(`${folder}/`)) ?? null;
  }

  /** Folders in which the dotted name may begin, up to the first one that contains its first part. */
  #beginnings(modules: ModuleTable, target: ImportTarget, from: string): string[] {
    if (target.folder === undefined) return [];
    if (target.folder !== null) return [target.folder];
    const [first] = partsOf(target);
    if (first === undefined || isStandardLibrary(first)) return [];
    const path = modules.searchPath(first, from);
    const at = path.findIndex((folder) => modules.child(folder, first) !== null);
    return at === -1 ? path : path.slice(0, at + 1);
  }

  #missed(modules: ModuleTable, folder: string, parts: readonly string[]): string | null {
    let stem = folder;
    for (const part of parts) {
      stem = join(stem, part);
      if (modules.fileOf(stem) !== null) continue;
      const file = this.#fileOf(stem);
      if (file !== null) return file;
    }
    return null;
  }

  #fileOf(stem: string): string | null {
    const found = [`${stem}.py`, `${stem}/__init__.py`].find(
      (file) =>
        this.#files.has(file) ||
        (this.#folders.some((folder) => file.startsWith(`${folder}/`)) && this.#isOnDisk(file)),
    );
    return found ?? null;
  }

  #isOnDisk(file: string): boolean {
    const known = this.#onDisk.get(file);
    if (known !== undefined) return known;
    const is = existsSync(`${this.#root}/${file}`);
    this.#onDisk.set(file, is);
    return is;
  }
}

/** The names in a list, without aliases and comments. */
function namesIn(list: string): string[] {
  const bare = list.replace(/#.*/g, '').replace(/[()\\]/g, ' ');
  return bare.split(',').flatMap((item) => /^\s*([\w.]+)/.exec(item)?.[1] ?? []);
}

function partsOf({ module }: ImportTarget): string[] {
  return module === '' ? [] : module.split('.');
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function within(file: string, place: string): boolean {
  return place === '' || file === place || file.startsWith(`${place}/`);
}
