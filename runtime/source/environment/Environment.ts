/**
 * The packages of the project's Python environment, read only from files: which packages are installed, which
 * of them provides a module, and what each requires. The folders are listed once; the metadata of a
 * distribution is read on first use.
 */
import { readdirSync } from 'node:fs';
import { fileStamp } from '../fileStamp.ts';
import type { Steps } from '../steps.ts';
import { Distribution } from './Distribution.ts';
import { normalizeName } from './distributionName.ts';
import { type InterpreterSearch, interpreterFolders } from './interpreterFolders.ts';

/**
 * Files that add other folders to a package folder. The excluded files belong to installers and add no
 * folders.
 */
const ADDS_FOLDERS = /^(?!distutils-precedence|_virtualenv).*\.(?:pth|egg-link)$/;

export class Environment {
  /** Package folders; empty when no interpreter is known. */
  readonly folders: readonly string[];
  readonly #stamp: string;
  /** All entries of the folders. */
  readonly #entries = new Set<string>();
  readonly #distributions = new Map<string, Distribution>();
  #byModule: ReadonlyMap<string, Distribution[]> | null = null;

  /**
   * The environment of some package folders. Of two distributions with the same name, the first counts, as in
   * Python.
   *
   * @param before - An earlier environment. Distributions that no installer has changed since are taken from
   *   it.
   */
  constructor(folders: readonly string[], before?: Environment) {
    this.folders = folders;
    this.#stamp = stampsOf(folders);
    const known = new Map((before?.distributions() ?? []).map((one) => [one.entry, one]));
    for (const folder of folders) {
      for (const entry of namesIn(folder)) {
        this.#entries.add(entry);
        const found = Distribution.of(folder, entry);
        if (!found || this.#distributions.has(found.normalized)) continue;
        const old = known.get(found.entry);
        this.#distributions.set(found.normalized, old?.isCurrent() ? old : found);
      }
    }
  }

  /** The environment of a project, chosen by `interpreterFolders`. */
  static find(search: InterpreterSearch): Environment {
    return new Environment(interpreterFolders(search));
  }

  /** The current environment of the project; the same object when no installer has changed it. */
  refreshed(search: InterpreterSearch): Environment {
    const folders = interpreterFolders(search);
    // Installers create and remove entries, which changes a folder's modification time.
    const isSame = folders.join('\n') === this.folders.join('\n') && stampsOf(folders) === this.#stamp;
    return isSame ? this : new Environment(folders, this);
  }

  /**
   * Reads in advance what `providersOf` may need, so that the first request of an editor is as fast as later
   * ones.
   */
  *prepare(): Steps {
    for (const one of this.#distributions.values()) {
      if (one.isRead) continue;
      void one.modules;
      yield;
    }
  }

  /** Every installed distribution, sorted by name. */
  distributions(): readonly Distribution[] {
    return [...this.#distributions.values()].sort((a, b) => (a.normalized < b.normalized ? -1 : 1));
  }

  /** Finds an installed distribution by its name, in any spelling. */
  distribution(name: string): Distribution | null {
    return this.#distributions.get(normalizeName(name)) ?? null;
  }

  /** The installed distributions that provide a module, such as `google.cloud.storage`; empty when none is known. */
  providersOf(module: string): Distribution[] {
    const own = this.#ownProvider(module);
    if (own) return [own];
    const first = firstOf(module);
    if (!this.#mayHave(first)) return [];
    this.#byModule ??= this.#indexModules();
    const all = this.#byModule.get(first) ?? [];
    if (all.length < 2) return all;
    // If distributions share a namespace, such as `google`, their lists of files decide between them.
    for (let path = module; path.includes('.'); path = path.slice(0, path.lastIndexOf('.'))) {
      const closer = all.filter((one) => one.has(path) === true);
      if (closer.length > 0 && closer.length < all.length) return closer;
    }
    return all;
  }

  /**
   * The distribution that has the same name as a top-level module, if it provides that module. For any other
   * module, all distributions must be read.
   */
  #ownProvider(module: string): Distribution | null {
    const own = module.includes('.') ? undefined : this.#distributions.get(normalizeName(module));
    return own?.modules.has(module) ? own : null;
  }

  #indexModules(): Map<string, Distribution[]> {
    const byModule = new Map<string, Distribution[]>();
    for (const one of this.#distributions.values()) {
      for (const module of one.modules) byModule.set(module, [...(byModule.get(module) ?? []), one]);
    }
    return byModule;
  }

  /**
   * Whether a module may be installed. Modules of editable installations are not in the folders, so any file
   * that adds folders may provide the module.
   */
  #mayHave(module: string): boolean {
    for (const entry of this.#entries) {
      if (entry === module || entry.startsWith(`${module}.`) || ADDS_FOLDERS.test(entry)) return true;
    }
    return false;
  }
}

function firstOf(module: string): string {
  return module.split('.', 1)[0]!;
}

function stampsOf(folders: readonly string[]): string {
  return folders.map(fileStamp).join(' ');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder that does not exist counts as empty.
    return [];
  }
}
