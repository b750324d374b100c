/** One installed distribution, read from its `*.dist-info` or `*.egg-info`, each file on first use. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileStamp } from '../fileStamp.ts';
import { normalizeName } from './distributionName.ts';
import { parseRequirement, type Requirement } from './parseRequirement.ts';

const ENTRY = /^([A-Za-z0-9][A-Za-z0-9._+!]*?)(?:-([^-]+?))?(?:-py\d[\d.]*)?\.(?:dist|egg)-info$/;
/** Entries of a package folder that are not modules. */
const NO_MODULE = /^(?:\.\.|__pycache__|bin|share|include|etc|tests?|docs?)$|(?:-info|\.data|\.pth|\.libs)$/;
/** Code that setuptools and hatchling write for editable installations that map single packages. */
const FINDER = /^(?:__editable___\w+_finder|_editable_impl_\w+)\.py$/;

export class Distribution {
  /** As spelt in its entry, with hyphens instead of underscores. */
  readonly name: string;
  readonly normalized: string;
  readonly version: string | null;
  /** Absolute path of its `*.dist-info` or `*.egg-info`. */
  readonly entry: string;
  readonly #folder: string;
  /** The entry's stamp when it was first read; null before that. */
  #stamp: string | null = null;
  #metadata: string | null = null;
  #modules: ReadonlySet<string> | null = null;
  #requires: Requirement[] | null = null;

  private constructor(folder: string, entry: string, name: string, version: string | null) {
    this.#folder = folder;
    this.entry = path.join(folder, entry);
    this.name = name.replaceAll('_', '-');
    this.normalized = normalizeName(name);
    this.version = version;
  }

  /** The distribution that an entry of a package folder describes; null for any other entry. */
  static of(folder: string, entry: string): Distribution | null {
    const [, name, version = null] = ENTRY.exec(entry) ?? [];
    return name === undefined ? null : new Distribution(folder, entry, name, version);
  }

  /** The one-line summary of the distribution; null when it has none. */
  get summary(): string | null {
    const summary = /^Summary:[ \t]*(.+)$/m.exec(this.#head())?.[1]?.trim();
    return summary === undefined || summary === 'UNKNOWN' ? null : summary;
  }

  /**
   * The requirements of the distribution, including those of extras, whose markers name the extra. Null when
   * its metadata cannot be read.
   */
  get requires(): readonly Requirement[] | null {
    if (!/^Name:/im.test(this.#head())) return null;
    this.#requires ??= this.#requirements().flatMap((text) => parseRequirement(text) ?? []);
    return this.#requires;
  }

  /** Whether the distribution has not been changed by an installer since it was read. */
  isCurrent(): boolean {
    return this.#stamp === null || this.#stamp === fileStamp(this.entry);
  }

  /** Whether its modules have been read. */
  get isRead(): boolean {
    return this.#modules !== null;
  }

  /** Names of its top-level modules and packages. */
  get modules(): ReadonlySet<string> {
    this.#modules ??= new Set(this.#topLevel());
    return this.#modules;
  }

  /**
   * Whether one of its files is the module or is inside the package; null when there is no list of its files.
   */
  has(module: string): boolean | null {
    const record = this.#read('RECORD') ?? this.#read('installed-files.txt');
    if (record === null) return null;
    const stem = module.replaceAll('.', '/').replaceAll(/[^\w/]/gu, '');
    return new RegExp(String.raw`^(?:\.\./)*"?${stem}[./]`, 'mu').test(record);
  }

  #topLevel(): string[] {
    const listed = this.#read('top_level.txt');
    if (listed?.trim()) return listed.split(/\s+/).filter((name) => name !== '');
    const record = this.#read('RECORD');
    if (record === null) return [];
    const files = record.split(/\r?\n/).map((line) => line.split(',', 1)[0]!.replaceAll('"', ''));
    const links = files.filter((file) => file.endsWith('.pth')).flatMap((file) => this.#linked(file));
    const found = files.filter((file) => FINDER.test(file)).flatMap((file) => this.#found(file));
    const own = files.flatMap((file) => {
      const [first = '', ...rest] = file.split('/');
      if (NO_MODULE.test(first)) return [];
      return rest.length > 0 ? [first] : moduleOfEntry(first);
    });
    return [...own, ...links, ...found];
  }

  /**
   * Modules in other folders that the generated code of an editable installation maps. The code is read as
   * text, not run.
   */
  #found(file: string): string[] {
    const text = read(path.join(this.#folder, file)) ?? '';
    const mapping = /^MAPPING\b[^=]*=\s*\{([^}]*)\}/m.exec(text)?.[1] ?? '';
    const named = [
      ...mapping.matchAll(/['"]([\w.]+)['"]\s*:/g),
      ...text.matchAll(/\bmap_module\(\s*['"]([\w.]+)['"]/g),
    ];
    return named.map(([, module]) => module!.split('.', 1)[0]!);
  }

  #requirements(): string[] {
    const headers = [...this.#head().matchAll(/^Requires-Dist:[ \t]*(.+)$/gm)].map(([, text]) => text!);
    return headers.length > 0 ? headers : requiresText(this.#read('requires.txt') ?? '');
  }

  /** Modules in the folders that a `.pth` file of an editable installation adds. */
  #linked(file: string): string[] {
    const lines = read(path.join(this.#folder, file))?.split(/\r?\n/) ?? [];
    return lines
      .filter((line) => line.trim() !== '' && !/^(?:import\s|#)/.test(line))
      .flatMap((line) => modulesIn(path.resolve(this.#folder, line.trim())));
  }

  /** The headers of the distribution's metadata. */
  #head(): string {
    this.#metadata ??= (this.#read('METADATA') ?? this.#read('PKG-INFO') ?? read(this.entry) ?? '').split(
      /\r?\n\r?\n/,
      1,
    )[0]!;
    return this.#metadata;
  }

  #read(name: string): string | null {
    this.#stamp ??= fileStamp(this.entry);
    return read(path.join(this.entry, name));
  }
}

/**
 * Parses the `requires.txt` of old installations, in which a heading `[extra:marker]` applies to the lines
 * below it.
 */
function requiresText(text: string): string[] {
  let condition = '';
  return text.split(/\r?\n/).flatMap((raw) => {
    const line = raw.trim();
    const [heading, extra, marker = ''] = /^\[([^\]:]*):?(.*)\]$/.exec(line) ?? [];
    if (heading !== undefined) {
      const parts = [marker && `(${marker})`, extra && `extra == "${extra}"`].filter(Boolean);
      condition = parts.join(' and ');
      return [];
    }
    return line === '' ? [] : [condition === '' ? line : `${line} ; ${condition}`];
  });
}

/** The modules and packages in a folder. */
function modulesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (NO_MODULE.test(entry.name)) return [];
      return entry.isFile()
        ? moduleOfEntry(entry.name)
        : /^[A-Za-z_]\w*$/.test(entry.name)
          ? [entry.name]
          : [];
    });
  } catch {
    // The folder of an editable installation may have been deleted since.
    return [];
  }
}

/** The module in `six.py` or `_cffi_backend.cpython-311-x86_64-linux-gnu.so`; none in other files. */
function moduleOfEntry(name: string): string[] {
  const module = /^([A-Za-z_]\w*)(?:\.[\w-]+)?\.(?:py|so|pyd)$/.exec(name)?.[1];
  return module === undefined ? [] : [module];
}

/** Null when the file does not exist or cannot be read. */
function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
