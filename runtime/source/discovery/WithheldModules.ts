/** Python modules that lie in the project's folder and do not ship → what an import of one would miss. */
import { existsSync } from 'node:fs';
import type { ImportTarget } from '../facts/FileFacts.ts';
import type { ModuleTable } from '../index/ModuleTable.ts';
import { isStandardLibrary } from '../index/standardLibrary.ts';

/** Up to here it is faster to look for each name's bytes than to decode the file. */
const FEW_NAMES = 16;

export class WithheldModules {
  readonly #root: string;
  readonly #files: ReadonlySet<string>;
  readonly #folders: readonly string[];
  readonly #names: readonly Buffer[];
  readonly #importLine: RegExp | null;

  /**
   * @param files - Python files that the walk met and left out, relative to the root.
   * @param folders - Folders that it did not enter.
   */
  constructor(root: string, files: readonly string[], folders: readonly string[]) {
    this.#root = root;
    this.#files = new Set(files);
    this.#folders = folders;
    const names = new Set(
      [...files, ...folders].map((file) => file.slice(file.lastIndexOf('/') + 1).replace(/\.py$/, '')),
    );
    const importable = [...names].filter((name) => /^[A-Za-z_]\w*$/.test(name));
    this.#names = importable.map((name) => Buffer.from(name));
    const any = `\\b(?:${importable.join('|')})\\b`;
    this.#importLine =
      importable.length === 0
        ? null
        : new RegExp(`^[^\\n#]*\\b(?:from|import)\\b(?:[^\\n]*?${any}|[^\\n(]*\\([^)]*?${any})`, 'm');
  }

  /** Whether a file may import one of them: a quick look before it is parsed. */
  mayBeImportedBy(bytes: Buffer): boolean {
    if (!this.#importLine) return false;
    if (this.#names.length <= FEW_NAMES && !this.#names.some((name) => bytes.includes(name))) return false;
    return this.#importLine.test(bytes.toString('latin1'));
  }

  /** The file that an import statement needs and that does not ship; null when there is none. */
  missedBy(modules: ModuleTable, target: ImportTarget, from: string): string | null {
    const parts = target.module === '' ? [] : target.module.split('.');
    if (target.folder === undefined) return null;
    if (target.folder !== null) return this.#missed(modules, target.folder, parts);
    const first = parts[0];
    if (first === undefined || isStandardLibrary(first)) return null;
    for (const folder of modules.searchPath(first, from)) {
      const missed = this.#missed(modules, folder, parts);
      if (missed !== null) return missed;
      if (modules.child(folder, first) !== null) return null;
    }
    return null;
  }

  /** The same of one name of `from package import name`, where the package itself ships. */
  missedMember(modules: ModuleTable, stem: string, name: string): string | null {
    return modules.child(stem, name) === null ? this.#fileOf(join(stem, name)) : null;
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
        (this.#folders.some((folder) => file.startsWith(`${folder}/`)) &&
          existsSync(`${this.#root}/${file}`)),
    );
    return found ?? null;
  }
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
