/**
 * A root folder → the facts of the files that may declare endpoints. Each file is looked at once, and parsed
 * only if it passes the prefilter or a name leads to it. Paths are updated one by one. A text that is open in
 * an editor replaces the text on disk.
 */
import { readdirSync } from 'node:fs';
import { decideVersions } from '../binder/decideVersions.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import { ModuleTable } from '../declarations/ModuleTable.ts';
import { modulesThatHide } from '../declarations/modulesThatHide.ts';
import { runSteps, type Steps } from '../steps.ts';
import type { SyntaxFault } from '../syntax/findFault.ts';
import { decodeSource } from './decodeSource.ts';
import { FileTexts, type OpenText } from './FileTexts.ts';
import { Importers } from './Importers.ts';
import { type Look, lookAt, lookAtOpen, type Undecodable, type Unreadable } from './lookAt.ts';
import { ParsedFiles, type ParseOptions } from './ParsedFiles.ts';
import { WalkedFolders } from './WalkedFolders.ts';
import { WithheldModules } from './WithheldModules.ts';
import { codeOf, type ProjectWalk } from './walkProject.ts';

interface FilesOptions extends ParseOptions {
  /** Files that are read even when they are ignored. */
  named?: readonly string[] | undefined;
}

export class ProjectFiles {
  readonly root: string;
  /** Modules that do not ship. */
  withheld: WithheldModules;
  /** Names of standard library modules that modules of the project hide. */
  hidden: ReadonlySet<string> = new Set();
  /** The Python version of workers, such as `3.12`; null when the project does not set one. */
  pythonVersion: string | null = null;
  readonly #options: FilesOptions;
  readonly #folders: WalkedFolders;
  readonly #texts: FileTexts;
  readonly #parsed: ParsedFiles;
  /** Files that were looked at. */
  readonly #looked = new Set<string>();
  /** Results of the looks that found something. */
  readonly #looks = new Map<string, Omit<Look, 'words'>>();
  readonly #unreadable = new Map<string, Unreadable>();
  readonly #importers = new Importers();

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

  /** Looks at a single file that does not belong to a project. It can import modules in the same folder. */
  readAlone(file: string): void {
    const entries = this.#folders.exists() ? readdirSync(this.root, { withFileTypes: true }) : [];
    const siblings = entries.flatMap((entry) => {
      if (entry.isDirectory()) return [`${entry.name}/__init__.py`];
      return entry.name.endsWith('.py') ? [entry.name] : [];
    });
    this.#folders.modules = runSteps(ModuleTable.of([...siblings, file]));
    this.#look(file);
  }

  /**
   * Updates files or folders, relative to the root, that were created, changed or deleted.
   *
   * @returns Whether anything in the project may have changed.
   */
  *refresh(places: readonly string[]): Steps<boolean> {
    const changed = new Set<string>();
    const elsewhere: string[] = [];
    const shown = this.#shown();
    for (const place of places) {
      yield;
      if (this.#looked.has(place) && this.#texts.isFile(place)) {
        // An open text overrides its file.
        if (!shown.has(place)) changed.add(place);
        continue;
      }
      const toWalk = this.#folders.toWalk(place);
      if (toWalk !== null) elsewhere.push(toWalk);
    }
    // An open file that is not on disk is found when its folder is walked; the folder may be new.
    if (elsewhere.length > 0) elsewhere.push(...[...shown].filter((file) => !this.#looked.has(file)));
    const { walk, met } = yield* this.#folders.at(elsewhere, shown);
    const isSame = walk === this.#folders.walk;
    const again = isSame ? changed.union(met) : yield* this.#take(walk, changed.union(met));
    for (const file of again) {
      this.#look(file);
      yield;
    }
    const { withheld } = this;
    this.withheld = withheld.refreshed(places);
    return this.withheld !== withheld || !isSame || again.size > 0;
  }

  /** Sets the text that an editor has open for a file; null when the file was closed. */
  show(file: string, open: OpenText | null): void {
    const before = this.#texts.open.get(file)?.facts;
    if (open) this.#texts.open.set(file, open);
    else this.#texts.open.delete(file);
    // A large text is looked at only after it has been read.
    if (this.#looked.has(file) && open?.isRead !== false) this.#look(file);
    if (open) this.#parsed.drop(file);
    else if (before) this.#parsed.forget(file, before);
  }

  /** Saves the facts for the next command. */
  save(): void {
    this.#parsed.save((file) => this.modules.has(file));
  }

  /** The modules of the project. */
  get modules(): ModuleTable {
    return this.#folders.modules;
  }

  /** Number of Python files that were looked at. */
  get count(): number {
    return this.#looked.size;
  }

  /** Number of times that a file was read from disk. */
  get reads(): number {
    return this.#texts.reads;
  }

  /**
   * Files that contain `toolkit_sdk`. Only these files, and files that import them, can declare endpoints or
   * add routes to them.
   */
  usingSdk(): string[] {
    return [...this.#looks].flatMap(([file, look]) => (look.usesSdk ? [file] : [])).sort();
  }

  /** Whether a file contains `toolkit_sdk`. */
  usesSdk(file: string): boolean {
    return this.#looks.get(file)?.usesSdk ?? false;
  }

  /**
   * Files that import a file that contains `toolkit_sdk`, directly or through other files, and that contain
   * one of these names.
   */
  *importers(names: ReadonlySet<string>): Steps<ReadonlySet<string>> {
    return yield* this.#importers.of(
      this.usingSdk(),
      names,
      (file) => !this.usesSdk(file),
      (file) => this.textOf(file),
    );
  }

  /** Facts of a Python file; null when it cannot be read, undefined when it has not been read yet. */
  known(file: string): FileFacts | null | undefined {
    const facts = this.#texts.open.get(file)?.facts ?? this.#parsed.known(file);
    return facts && decideVersions(facts, this.pythonVersion);
  }

  /** Reads the facts of any Python file of the project; null when it cannot be read. */
  *facts(file: string): Steps<FileFacts | null> {
    const known = this.known(file);
    if (known !== undefined) return known;
    const facts = yield* this.#parsed.read(file, this.#textOf(file), () => this.#waiting());
    return facts && decideVersions(facts, this.pythonVersion);
  }

  /** Like `facts`, but synchronous; the syntax engine must already be loaded. */
  factsOf(file: string): FileFacts | null {
    return runSteps(this.facts(file));
  }

  /**
   * Reads the files that have changed since they were last read. Facts that have not changed stay the same
   * object.
   */
  *readChanged(): Steps {
    for (const file of this.#parsed.changed) {
      if (!this.#looked.has(file)) this.#parsed.drop(file);
      else yield* this.facts(file);
      yield;
    }
  }

  /** Why a file or folder cannot be read; null when it can. */
  unreadableAt(file: string): Unreadable | null {
    const walked = this.#folders.walk.unreadable.find((one) => one.file === file);
    return walked ?? this.#unreadable.get(file) ?? this.#looks.get(file)?.fault ?? null;
  }

  /**
   * Why the bytes of a file cannot be decoded, even if the file does not mention endpoints; null when they
   * can.
   */
  undecodable(file: string): Undecodable | null {
    const bytes = this.bytesOf(file);
    const decoded = bytes && decodeSource(bytes);
    return decoded && 'fault' in decoded ? decoded : null;
  }

  /** Files and folders that cannot be read. */
  unreadable(): string[] {
    const undecodable = [...this.#looks].flatMap(([file, { fault }]) => (fault ? [file] : []));
    return [
      ...this.#folders.walk.unreadable.map(({ file }) => file),
      ...this.#unreadable.keys(),
      ...undecodable,
    ];
  }

  /** Files that may import a module that does not ship, sorted. */
  lacking(): string[] {
    const { withheld, modules } = this;
    return [...this.#looks]
      .flatMap(([file, { candidates }]) =>
        candidates.some((candidate) => withheld.isMissed(modules, candidate, file)) ? [file] : [],
      )
      .sort();
  }

  /**
   * Files that contain the words of a declaration. Their syntax is checked even when they declare nothing.
   */
  mentioning(): string[] {
    return [...this.#looks].flatMap(([file, { mentions }]) => (mentions ? [file] : []));
  }

  /** Whether a file contains the words of a declaration. */
  mentions(file: string): boolean {
    return this.#looks.get(file)?.mentions ?? false;
  }

  /** The first fault of a file that contains the words of a declaration but cannot declare anything. */
  *faultOf(file: string): Steps<SyntaxFault | null> {
    const known = this.known(file);
    if (known !== undefined) return known?.fault ?? null;
    return yield* this.#parsed.faultOf(
      file,
      () => this.#textOf(file),
      () => this.#waiting(),
    );
  }

  /** The open text, otherwise the text on disk; null when there is no readable text. */
  textOf(file: string): string | null {
    return this.#texts.open.get(file)?.text ?? this.#textOf(file);
  }

  /** The bytes of a file, valid until the next read; null when it cannot be read. */
  bytesOf(file: string): Buffer | null {
    return this.#texts.bytesOf(file);
  }

  /** Whether a file belongs to the project. */
  has(file: string): boolean {
    return this.#looked.has(file);
  }

  /** Python files that were looked at. */
  get python(): Iterable<string> {
    return this.#looked;
  }

  /** Every file that ships. */
  shipped(): readonly string[] {
    return this.#folders.walk.files;
  }

  /** Folders in the root that are separate projects. */
  nestedProjects(): readonly string[] {
    return this.#folders.walk.withheld.projects;
  }

  #shown(): ReadonlySet<string> {
    return new Set(this.#texts.open.keys());
  }

  /**
   * Makes a walk the current one. Returns the files to look at: changed and new files, or all files when the
   * withheld or hidden modules have changed.
   */
  *#take(walk: ProjectWalk, changed: ReadonlySet<string>): Steps<ReadonlySet<string>> {
    const before = JSON.stringify([this.#folders.walk.withheld, [...this.hidden]]);
    const files = yield* this.#folders.take(walk);
    this.hidden = new Set(modulesThatHide(this.modules).values());
    for (const file of this.#looked) if (!files.has(file)) this.#drop(file);
    if (JSON.stringify([walk.withheld, [...this.hidden]]) === before)
      return new Set([...files].filter((file) => changed.has(file) || !this.#looked.has(file)));
    this.withheld = new WithheldModules(this.root, walk.withheld);
    return files;
  }

  /** The Python files that the walk found, and the files that were named. */
  *#everyFile(): Generator<string> {
    const { files, duplicates } = this.#folders.walk;
    const met = new Set(files);
    for (const file of files) if (file.endsWith('.py') && !duplicates.has(file)) yield file;
    for (const file of this.#options.named ?? []) {
      if (file.endsWith('.py') && !met.has(file) && this.#texts.isFile(file)) yield file;
    }
  }

  #look(file: string): void {
    this.#forget(file);
    const found = this.#lookAt(file);
    if (!found) return this.#importers.set(file, []);
    const { words, ...look } = found;
    this.#looked.add(file);
    this.#importers.set(file, words);
    if (look.mentions || look.candidates.length > 0 || look.fault) this.#looks.set(file, look);
  }

  /** Null when the file cannot be read. */
  #lookAt(file: string): Look | null {
    const open = this.#texts.open.get(file);
    if (open) return lookAtOpen(file, open.text, this);
    try {
      return lookAt(file, this.#texts.read(file), this);
    } catch (error) {
      const code = codeOf(error);
      // A missing file was deleted after the walk, so it is not reported.
      if (code !== 'ENOENT') this.#unreadable.set(file, { code });
      return null;
    }
  }

  #textOf(file: string): string | null {
    return this.#looks.get(file)?.text ?? this.#texts.textOf(file);
  }

  /** Forgets a file that no longer belongs to the project. */
  #drop(file: string): void {
    this.#forget(file);
    this.#importers.set(file, []);
  }

  #forget(file: string): void {
    this.#looked.delete(file);
    this.#looks.delete(file);
    this.#parsed.forget(file);
    this.#unreadable.delete(file);
  }

  /** Number of UTF-16 units in the texts that have yet to be parsed. */
  #waiting(): number {
    let length = 0;
    for (const [file, { text }] of this.#looks)
      if (text !== null && this.#parsed.known(file) === undefined) length += text.length;
    return length;
  }
}
