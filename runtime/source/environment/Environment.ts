/**
 * The packages of the project's Python, told from files alone: which are installed, which of them gives a module,
 * and what each requires. Everything is read when it is first asked for, and again when the folders have changed.
 */
import { readdirSync } from 'node:fs';
import type { Steps } from '../steps.ts';
import { Distribution } from './Distribution.ts';
import { normalizeName } from './distributionName.ts';
import { type InterpreterSearch, interpreterFolders } from './interpreterFolders.ts';
import { stampOf } from './stampOf.ts';

/** Files by which a folder of packages takes in others; the ones of installers add none. */
const ADDS_FOLDERS = /^(?!distutils-precedence|_virtualenv).*\.(?:pth|egg-link)$/;

export class Environment {
  /** Folders of installed packages; empty when no interpreter is known. */
  readonly folders: readonly string[];
  #stamp: string | null = null;
  /** Everything that stands in the folders. */
  #entries: ReadonlySet<string> = new Set();
  #distributions: ReadonlyMap<string, Distribution> = new Map();
  #byModule: ReadonlyMap<string, Distribution[]> | null = null;

  readonly #beforeWork: () => void;

  /**
   * An environment whose packages stand in some folders; of two of one name the first counts, as in Python.
   *
   * @param beforeWork - Called before each distribution is read; may throw, and what was read is kept.
   */
  constructor(folders: readonly string[], beforeWork: () => void = () => {}) {
    this.folders = folders;
    this.#beforeWork = beforeWork;
  }

  /** The environment of a project; see `interpreterFolders` for which one that is. */
  static find(search: InterpreterSearch, beforeWork?: () => void): Environment {
    return new Environment(interpreterFolders(search), beforeWork);
  }

  /** Reads what `providersOf` may come to need, so that an editor's first such question takes no longer than others. */
  *prepare(): Steps {
    this.#refresh();
    for (const one of this.#distributions.values()) {
      if (one.isRead) continue;
      void one.modules;
      yield;
    }
  }

  /** Every installed distribution, in order of name. */
  distributions(): readonly Distribution[] {
    this.#refresh();
    return [...this.#distributions.values()].sort((a, b) => (a.normalized < b.normalized ? -1 : 1));
  }

  /** An installed distribution by its name in any spelling. */
  distribution(name: string): Distribution | null {
    this.#refresh();
    return this.#distributions.get(normalizeName(name)) ?? null;
  }

  /** The installed distributions that give a module, such as `google.cloud.storage`; empty when none is known to. */
  providersOf(module: string): Distribution[] {
    this.#refresh();
    const first = module.split('.', 1)[0]!;
    const own = this.#distributions.get(normalizeName(first));
    if (own && !module.includes('.') && own.modules.has(first)) return [own];
    if (!this.#mayHave(first)) return [];
    this.#byModule ??= this.#indexModules();
    const all = this.#byModule.get(first) ?? [];
    if (all.length < 2) return all;
    // Parts of one namespace, such as `google`, are told apart by their files.
    for (let path = module; path.includes('.'); path = path.slice(0, path.lastIndexOf('.'))) {
      const closer = all.filter((one) => one.has(path) === true);
      if (closer.length > 0 && closer.length < all.length) return closer;
    }
    return all;
  }

  #indexModules(): Map<string, Distribution[]> {
    const byModule = new Map<string, Distribution[]>();
    for (const one of this.#distributions.values()) {
      if (!one.isRead) this.#beforeWork();
      for (const module of one.modules) byModule.set(module, [...(byModule.get(module) ?? []), one]);
    }
    return byModule;
  }

  /** Modules that an editable installation adds stand in no folder of packages. */
  #mayHave(module: string): boolean {
    for (const entry of this.#entries) {
      if (entry === module || entry.startsWith(`${module}.`) || ADDS_FOLDERS.test(entry)) return true;
    }
    return false;
  }

  /** Reads the folders again when they have changed since. */
  #refresh(): void {
    // Installers make and remove entries, which changes a folder's time.
    const stamp = this.folders.map(stampOf).join(' ');
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#byModule = null;
    const known = new Map([...this.#distributions.values()].map((one) => [one.stamp, one]));
    const found = new Map<string, Distribution>();
    const entries = new Set<string>();
    for (const folder of this.folders) {
      for (const entry of namesIn(folder)) {
        entries.add(entry);
        const one = Distribution.of(folder, entry);
        // What an installation left alone is not read again.
        if (one && !found.has(one.normalized)) found.set(one.normalized, known.get(one.stamp) ?? one);
      }
    }
    this.#entries = entries;
    this.#distributions = found;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Gone: as good as empty.
    return [];
  }
}
