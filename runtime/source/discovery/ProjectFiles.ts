/**
 * A root folder → the facts of the files that may declare endpoints, each file looked at once and parsed only when it
 * passes the prefilter or a name leads there. It can be brought up to date place by place, and an open text stands in
 * front of its file.
 */
import { readdirSync } from 'node:fs';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import { ModuleTable } from '../declarations/ModuleTable.ts';
import type { Steps } from '../steps.ts';
import type { SyntaxFault } from '../syntax/findFault.ts';
import { layoutFaultOf } from '../syntax/findFault.ts';
import { AliasScan } from './AliasScan.ts';
import type { Alias } from './aliasImport.ts';
import { FileTexts, type OpenText } from './FileTexts.ts';
import { type Look, lookAt, lookAtOpen } from './lookAt.ts';
import { ParsedFiles, type ParseOptions } from './ParsedFiles.ts';
import { unreadable } from './unreadable.ts';
import { WalkedFolders } from './WalkedFolders.ts';
import { WithheldModules } from './WithheldModules.ts';
import { codeOf, type ProjectWalk } from './walkProject.ts';

/** Above this many characters, a file that has the words only in texts is data: its layout alone is checked. */
const DATA_SIZE = 32_768;

interface FilesOptions extends ParseOptions {
  /** Files that are read even where they are ignored. */
  named?: readonly string[] | undefined;
}

export class ProjectFiles {
  readonly root: string;
  /** Modules that do not ship. */
  withheld: WithheldModules;
  readonly #options: FilesOptions;
  readonly #folders: WalkedFolders;
  readonly #texts: FileTexts;
  readonly #parsed: ParsedFiles;
  /** Files that were looked at. */
  readonly #looked = new Set<string>();
  /** What the looks told, where they told something. */
  readonly #looks = new Map<string, Look>();
  readonly #dataFaults = new Map<string, SyntaxFault | null>();
  readonly #unreadable = new Map<string, Diagnostic>();
  readonly #aliases = new Map<string, AliasScan>();

  constructor(root: string, options: FilesOptions = {}) {
    this.root = root;
    this.#options = options;
    this.#folders = new WalkedFolders(root);
    this.#texts = new FileTexts(root);
    this.#parsed = new ParsedFiles(root, options);
    this.withheld = new WithheldModules(root, this.#folders.walk.withheld);
  }

  /** Walks the project and looks at every file. */
  *read(): Steps {
    const { walk } = yield* this.#folders.at([''], this.#shown());
    yield* this.#take(walk, new Set());
    for (const file of this.#everyFile()) {
      this.#look(file);
      yield;
    }
  }

  /** Looks at one file alone, which belongs to no project; what lies beside it can be imported. */
  readAlone(file: string): void {
    const entries = this.#folders.exists() ? readdirSync(this.root, { withFileTypes: true }) : [];
    const beside = entries.flatMap((entry) => {
      if (entry.isDirectory()) return [`${entry.name}/__init__.py`];
      return entry.name.endsWith('.py') ? [entry.name] : [];
    });
    this.#folders.modules = new ModuleTable([...beside, file]);
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
    const shown = this.#shown();
    for (const place of places) {
      yield;
      if (this.#looked.has(place) && this.#texts.isFile(place)) {
        // An open text wins over its file.
        if (!shown.has(place)) changed.add(place);
      } else if (this.#folders.mayHoldPython(place)) elsewhere.push(place);
    }
    // A shown file that is not on disk is met where its folder is, which may have come.
    if (elsewhere.length > 0) elsewhere.push(...[...shown].filter((file) => !this.#looked.has(file)));
    const { walk, met } = yield* this.#folders.at(elsewhere, shown);
    const isSame = walk === this.#folders.walk;
    const again = isSame ? changed.union(met) : yield* this.#take(walk, changed.union(met));
    for (const file of again) {
      this.#look(file);
      yield;
    }
    return this.withheld.refresh(places) || !isSame || again.size > 0;
  }

  /** An editor shows a file, or shows another text of it; null when it shows it no more. */
  show(file: string, open: OpenText | null): void {
    if (open) this.#texts.open.set(file, open);
    else this.#texts.open.delete(file);
    if (!this.#looked.has(file)) return;
    if (open || this.modules.has(file)) this.#look(file);
    else this.#forget(file);
  }

  /** Work that asks for facts, begun again when a syntax engine had to be loaded for it. */
  withEngine<Result>(work: () => Result): Promise<Result> {
    return this.#parsed.withEngine(work, (file) => this.modules.has(file));
  }

  /** Where the project's modules are. */
  get modules(): ModuleTable {
    return this.#folders.modules;
  }

  /** How many Python files were looked at. */
  get count(): number {
    return this.#looked.size;
  }

  /** How many times a file was read from disk. */
  get reads(): number {
    return this.#texts.reads;
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
    const open = this.#texts.open.get(file);
    if (open) return open.facts;
    const look = this.#looks.get(file);
    const facts = this.#parsed.factsOf(
      file,
      () => look?.text ?? this.#texts.textOf(file),
      () => this.#waiting(),
    );
    // Files that may declare are few, and are asked for their text again.
    if (look && !look.mayDeclare) look.text = null;
    return facts;
  }

  /** Files that cannot be read. */
  diagnostics(): Diagnostic[] {
    const undecodable = [...this.#looks.values()].flatMap(({ fault }) => fault ?? []);
    const places = this.#folders.walk.unreadable.map(({ file, code }) => unreadable(file, code));
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
    return this.#texts.open.get(file)?.text ?? this.#looks.get(file)?.text ?? this.#texts.textOf(file);
  }

  /** The bytes of a file, valid until the next read; null when it cannot be read. */
  bytesOf(file: string): Buffer | null {
    return this.#texts.bytesOf(file);
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
    return this.#folders.walk.files.map(({ file }) => file);
  }

  /** Folders of the root that are projects of their own. */
  nestedProjects(): readonly string[] {
    return this.#folders.walk.withheld.projects;
  }

  #shown(): ReadonlySet<string> {
    return new Set(this.#texts.open.keys());
  }

  /** Takes over a walk, and gives the files to look at: the changed and the new ones, or all when imports may miss others. */
  *#take(walk: ProjectWalk, changed: ReadonlySet<string>): Steps<ReadonlySet<string>> {
    const before = JSON.stringify(this.#folders.walk.withheld);
    const files = yield* this.#folders.take(walk);
    for (const file of this.#looked) if (!files.has(file)) this.#forget(file);
    if (JSON.stringify(walk.withheld) === before)
      return new Set([...files].filter((file) => changed.has(file) || !this.#looked.has(file)));
    this.withheld = new WithheldModules(this.root, walk.withheld);
    return files;
  }

  /** What the walk met, and what was named. */
  *#everyFile(): Generator<string> {
    const { files } = this.#folders.walk;
    const met = new Set(files.map(({ file }) => file));
    for (const { file, duplicate } of files) if (!duplicate && file.endsWith('.py')) yield file;
    for (const file of this.#options.named ?? []) {
      if (file.endsWith('.py') && !met.has(file) && this.#texts.isFile(file)) yield file;
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
    const open = this.#texts.open.get(file);
    if (open) return lookAtOpen(file, open.text, this);
    try {
      return lookAt(file, this.#texts.read(file), this);
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
    this.#parsed.forget(file);
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

  /** UTF-16 units of texts that wait for being parsed. */
  #waiting(): number {
    let length = 0;
    for (const [file, { text }] of this.#looks)
      if (text !== null && !this.#parsed.has(file)) length += text.length;
    return length;
  }
}
