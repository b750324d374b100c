/**
 * A root folder → the facts of the files that may declare endpoints, each file read once and parsed only when it
 * passes the prefilter or a name leads there. It can be brought up to date place by place, and an open text stands in
 * front of its file.
 */
import { readdirSync, statSync } from 'node:fs';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { FileFacts, SyntaxFault } from '../facts/FileFacts.ts';
import { readFacts } from '../facts/readFacts.ts';
import { ModuleTable } from '../index/ModuleTable.ts';
import type { Steps } from '../steps.ts';
import { layoutFaultOf } from '../syntax/findFault.ts';
import { loadParser } from '../syntax/loadParser.ts';
import type { SyntaxParser } from '../syntax/SyntaxParser.ts';
import { AliasScan } from './AliasScan.ts';
import type { Alias } from './aliasImport.ts';
import { decodeSource } from './decodeSource.ts';
import { FactsCache } from './FactsCache.ts';
import { type Look, lookAt, lookAtOpen } from './lookAt.ts';
import { FileBytes } from './readBytes.ts';
import { unreadable } from './unreadable.ts';
import { WithheldModules } from './WithheldModules.ts';
import { codeOf, type ProjectWalk, walkProject, withPlace } from './walkProject.ts';

/** Above this many characters, a file that has the words only in texts is data: its layout alone is checked. */
const DATA_SIZE = 32_768;

/** From here on one walk of everything is faster than one for each place. */
const MANY_PLACES = 30;

/** Facts were asked for that are not kept, and no syntax engine is loaded, or none for so much text. */
class EngineNeeded extends Error {
  /** UTF-16 units that are to be parsed, as far as known. */
  readonly length: number;

  constructor(length: number) {
    super('A syntax engine is needed.');
    this.length = length;
  }
}

/** A text in an editor. */
export interface OpenText {
  readonly text: string;
  readonly facts: FileFacts;
}

interface FilesOptions {
  /** Where facts are kept between commands; nothing is kept without one. */
  cacheDir?: string | undefined;
  /** Files that are read even where they are ignored. */
  named?: readonly string[] | undefined;
  /** Loaded when it is first needed, unless it is given. */
  parser?: SyntaxParser;
  /** Called before each file that is read or parsed for a question; may throw to put the question off. */
  beforeWork?: () => void;
  /** Told of a file whose facts cannot be read for a fault of ours; without it the fault is thrown. */
  onCrash?: (file: string, error: unknown) => void;
}

const NOTHING_MET: ProjectWalk = {
  files: [],
  withheld: { files: [], folders: [], projects: [] },
  unreadable: [],
};

export class ProjectFiles {
  readonly root: string;
  modules = new ModuleTable(new Set());
  /** Modules that do not ship. */
  withheld: WithheldModules;
  /** How many times a file was read from disk. */
  reads = 0;
  readonly #options: FilesOptions;
  readonly #bytes = new FileBytes();
  readonly #cache: FactsCache;
  /** Files that were looked at. */
  readonly #looked = new Set<string>();
  /** What the looks told, where they told something. */
  readonly #looks = new Map<string, Look>();
  readonly #facts = new Map<string, FileFacts | null>();
  readonly #dataFaults = new Map<string, SyntaxFault | null>();
  readonly #unreadable = new Map<string, Diagnostic>();
  readonly #open = new Map<string, OpenText>();
  readonly #aliases = new Map<string, AliasScan>();
  #walk = NOTHING_MET;
  #parser: SyntaxParser | null;
  /** UTF-16 units parsed so far. */
  #parsed = 0;

  constructor(root: string, options: FilesOptions = {}) {
    this.root = root;
    this.#options = options;
    this.#parser = options.parser ?? null;
    this.#cache = new FactsCache(options.cacheDir ?? null, root);
    this.withheld = new WithheldModules(root, NOTHING_MET.withheld);
  }

  /** Walks the project and looks at every file. */
  *read(): Steps {
    yield* this.#surround(yield* this.#walkAt(''));
    for (const file of this.#named()) {
      this.#look(file);
      yield;
    }
  }

  /** Looks at one file alone, which belongs to no project; what lies beside it can be imported. */
  readAlone(file: string): void {
    const entries = this.#exists() ? readdirSync(this.root, { withFileTypes: true }) : [];
    const beside = entries.flatMap((entry) => {
      if (entry.isDirectory()) return [`${entry.name}/__init__.py`];
      return entry.name.endsWith('.py') ? [entry.name] : [];
    });
    this.modules = new ModuleTable(new Set([...beside, file]));
    this.#look(file);
  }

  /**
   * Brings places up to date: files or folders, relative to the root, that were made, changed or removed.
   *
   * @returns Whether anything that the project says may have changed.
   */
  *refresh(places: readonly string[]): Steps<boolean> {
    const changed = new Set<string>();
    const elsewhere: string[] = [];
    for (const place of places) {
      yield;
      if (this.#looked.has(place) && isFile(`${this.root}/${place}`)) {
        // An open text wins over its file.
        if (!this.#open.has(place)) changed.add(place);
      } else if (this.#mayHoldPython(place)) elsewhere.push(place);
    }
    // A shown file that is not on disk is met where its folder is, which may have come.
    if (elsewhere.length > 0)
      elsewhere.push(...[...this.#open.keys()].filter((file) => !this.#looked.has(file)));
    let walk = this.#walk;
    for (const place of elsewhere.length > MANY_PLACES ? [''] : elsewhere) {
      const found = yield* this.#walkAt(place);
      // A folder of the same name may be another one.
      if (place !== '') for (const { file } of found.files) if (within(file, place)) changed.add(file);
      walk = withPlace(walk, place, found);
    }
    const isSame = walk === this.#walk;
    const again = isSame ? changed : yield* this.#surround(walk, changed);
    for (const file of again) {
      this.#look(file);
      yield;
    }
    return this.withheld.refresh(places) || !isSame || again.size > 0;
  }

  /** An editor shows a file, or shows another text of it; null when it shows it no more. */
  show(file: string, open: OpenText | null): void {
    if (open) this.#open.set(file, open);
    else this.#open.delete(file);
    if (!this.#looked.has(file)) return;
    if (open || this.modules.has(file)) this.#look(file);
    else this.#forget(file);
  }

  /**
   * Work that asks for facts. The syntax engine is loaded, and the work begun again, when facts are asked for that no
   * earlier command kept.
   */
  async withEngine<Result>(work: () => Result): Promise<Result> {
    try {
      for (;;) {
        try {
          return work();
        } catch (error) {
          if (!(error instanceof EngineNeeded)) throw error;
          this.#parser = await loadParser(error.length);
        }
      }
    } finally {
      this.#cache.save((file) => this.modules.has(file));
    }
  }

  /** How many Python files were looked at. */
  get count(): number {
    return this.#looked.size;
  }

  /**
   * Files that may declare endpoints, in order; none when nothing mentions toolkit_sdk. Some can only be known once
   * declarations are.
   *
   * @param hasInstances - Whether files with route decorators count.
   * @param aliases - Other names by which modules offer the class `Endpoint`.
   */
  candidates(hasInstances: boolean, aliases: readonly Alias[]): string[] {
    const looks = [...this.#looks];
    if (!looks.some(([, { usesSdk }]) => usesSdk)) return [];
    const found = looks.filter(([, look]) => look.mayDeclare || (hasInstances && look.mayRoute));
    const aliased = aliases.flatMap((alias) => [...this.#importersOf(alias)]);
    return [...new Set([...found.map(([file]) => file), ...aliased])].sort();
  }

  /** Facts of any Python file of the project; null when it cannot be read. */
  factsOf(file: string): FileFacts | null {
    const open = this.#open.get(file);
    if (open) return open.facts;
    const known = this.#facts.get(file);
    if (known !== undefined) return known;
    const facts = this.#read(file);
    this.#facts.set(file, facts);
    return facts;
  }

  /** Files that cannot be read. */
  diagnostics(): Diagnostic[] {
    const undecodable = [...this.#looks.values()].flatMap(({ fault }) => fault ?? []);
    const places = this.#walk.unreadable.map(({ file, code }) => unreadable(file, code));
    return [...places, ...this.#unreadable.values(), ...undecodable];
  }

  /** Files that may import a module that does not ship, in order. */
  importers(): string[] {
    const { withheld, modules } = this;
    return [...this.#looks]
      .flatMap(([file, { candidates }]) =>
        candidates.some((candidate) => withheld.isMissed(modules, candidate, file)) ? [file] : [],
      )
      .sort();
  }

  /** Files that say the words of a declaration: their syntax counts even where nothing is declared. */
  mentioning(): string[] {
    return [...this.#looks].flatMap(([file, { mentions }]) => (mentions ? [file] : []));
  }

  /** The first fault of a file's text. */
  faultOf(file: string): SyntaxFault | null {
    const known = this.#dataFaults.get(file);
    if (known !== undefined) return known;
    const { text = null, mayDeclare } = this.#looks.get(file) ?? {};
    if (text === null || text.length <= DATA_SIZE || mayDeclare) return this.factsOf(file)?.fault ?? null;
    const fault = layoutFaultOf(text);
    this.#dataFaults.set(file, fault);
    return fault;
  }

  /** The text that an editor shows, else the one on disk; null when there is none that can be read. */
  textOf(file: string): string | null {
    return this.#open.get(file)?.text ?? this.#looks.get(file)?.text ?? this.#readText(file);
  }

  /** The bytes of a file, valid until the next read; null when it cannot be read. */
  bytesOf(file: string): Buffer | null {
    const open = this.#open.get(file);
    if (open) return Buffer.from(open.text);
    try {
      this.reads += 1;
      return this.#bytes.read(`${this.root}/${file}`);
    } catch {
      // Reported by the first look, or deleted since.
      return null;
    }
  }

  /** Whether a file is one of the project's. */
  has(file: string): boolean {
    return this.#looked.has(file);
  }

  /** Python files that were looked at. */
  get python(): Iterable<string> {
    return this.#looked;
  }

  /** Every file that ships. */
  shipped(): string[] {
    return this.#walk.files.map(({ file }) => file);
  }

  /** Folders of the root that are projects of their own. */
  nestedProjects(): readonly string[] {
    return this.#walk.withheld.projects;
  }

  /** Takes over a walk, and gives the files to look at: the changed and the new ones, or all when imports may miss others. */
  *#surround(walk: ProjectWalk, changed: ReadonlySet<string> = new Set()): Steps<Set<string>> {
    yield;
    const python = walk.files.filter(({ file }) => file.endsWith('.py'));
    yield;
    const modules = yield* ModuleTable.of(python.map(({ file }) => file));
    const files = new Set(python.flatMap(({ file, duplicate }) => (duplicate ? [] : [file])));
    yield;
    const isWithheldSame = JSON.stringify(walk.withheld) === JSON.stringify(this.#walk.withheld);
    this.#walk = walk;
    this.modules = modules;
    for (const file of this.#looked) if (!files.has(file)) this.#forget(file);
    if (isWithheldSame)
      return new Set([...files].filter((file) => changed.has(file) || !this.#looked.has(file)));
    this.withheld = new WithheldModules(this.root, walk.withheld);
    return files;
  }

  *#walkAt(place: string): Steps<ProjectWalk> {
    if (!this.#exists()) return NOTHING_MET;
    return yield* walkProject(this.root, place, new Set(this.#open.keys()));
  }

  #mayHoldPython(place: string): boolean {
    if (place === '' || place.endsWith('.py') || this.modules.isFolder(place)) return true;
    const { withheld, unreadable: unread } = this.#walk;
    const met = [withheld.files, withheld.folders, withheld.projects, unread.map(({ file }) => file)].flat();
    if (met.some((file) => within(file, place))) return true;
    return statSync(`${this.root}/${place}`, { throwIfNoEntry: false })?.isDirectory() ?? false;
  }

  *#named(): Generator<string> {
    const met = new Set(this.#walk.files.map(({ file }) => file));
    for (const { file, duplicate } of this.#walk.files) if (!duplicate && file.endsWith('.py')) yield file;
    for (const file of this.#options.named ?? []) {
      if (file.endsWith('.py') && !met.has(file) && isFile(`${this.root}/${file}`)) yield file;
    }
  }

  #look(file: string): void {
    this.#forget(file);
    const look = this.#lookAt(file);
    if (!look) return;
    this.#looked.add(file);
    if (look.mentions || look.mayRoute || look.candidates.length > 0 || look.fault)
      this.#looks.set(file, look);
    for (const scan of this.#aliases.values()) scan.changed(file, !look.mentions);
  }

  /** Null for what cannot be read. */
  #lookAt(file: string): Look | null {
    const open = this.#open.get(file);
    if (open) return lookAtOpen(file, open.text, this);
    try {
      this.reads += 1;
      return lookAt(file, this.#bytes.read(`${this.root}/${file}`), this);
    } catch (error) {
      const code = codeOf(error);
      // Deleted between the walk and now.
      if (code !== 'ENOENT') this.#unreadable.set(file, unreadable(file, code));
      return null;
    }
  }

  #forget(file: string): void {
    this.#looked.delete(file);
    this.#looks.delete(file);
    this.#facts.delete(file);
    this.#dataFaults.delete(file);
    this.#unreadable.delete(file);
    for (const scan of this.#aliases.values()) scan.changed(file, false);
  }

  #importersOf(alias: Alias): ReadonlySet<string> {
    const key = `${alias.file}:${alias.name}`;
    let scan = this.#aliases.get(key);
    if (!scan) {
      scan = new AliasScan(
        alias,
        [...this.#looked].filter((file) => !this.#looks.get(file)?.mentions),
      );
      this.#aliases.set(key, scan);
    }
    return scan.files((file) => {
      this.#options.beforeWork?.();
      return this.bytesOf(file);
    });
  }

  #read(file: string): FileFacts | null {
    const look = this.#looks.get(file);
    const text = look?.text ?? this.#readText(file);
    if (text === null) return null;
    const facts = this.#cache.get(file, text) ?? this.#parse(file, text);
    // Files that may declare are few, and are asked for their text again.
    if (look && !look.mayDeclare) look.text = null;
    return facts;
  }

  #parse(file: string, text: string): FileFacts | null {
    const parsed = this.#parsed + text.length;
    if (!this.#parser || parsed > this.#parser.capacity) throw new EngineNeeded(parsed + this.#unread());
    this.#parsed = parsed;
    this.#options.beforeWork?.();
    try {
      const facts = readFacts({ file, text }, this.#parser);
      this.#cache.set(file, text, facts);
      return facts;
    } catch (error) {
      if (!this.#options.onCrash) throw error;
      this.#options.onCrash(file, error);
      return null;
    }
  }

  /** Texts that wait for being read. */
  #unread(): number {
    let length = 0;
    for (const [file, { text }] of this.#looks)
      if (text !== null && !this.#facts.has(file)) length += text.length;
    return length;
  }

  #readText(file: string): string | null {
    const bytes = this.bytesOf(file);
    const decoded = bytes && decodeSource(bytes);
    return decoded && 'text' in decoded ? decoded.text : null;
  }

  #exists(): boolean {
    return statSync(this.root, { throwIfNoEntry: false })?.isDirectory() ?? false;
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

function within(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}
