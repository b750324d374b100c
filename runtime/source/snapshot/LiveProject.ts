/**
 * A project that is kept current while it is edited: files on disk, open texts, and the results computed from
 * them. It does nothing by itself: its owner reports changes and runs its steps.
 */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import { ImportReader } from '../discovery/ImportReader.ts';
import { ProjectFiles } from '../discovery/ProjectFiles.ts';
import { mentionsWord } from '../discovery/prefilter.ts';
import { Dependencies } from '../environment/Dependencies.ts';
import { defaultConfig, pyprojectText, readProjectConfig } from '../projectConfig.ts';
import { projectFaults } from '../projectFaults.ts';
import type { ProjectReading } from '../reading.ts';
import { readTables } from '../readTables.ts';
import { finishSteps, runSteps, type Steps } from '../steps.ts';
import type { SyntaxFault } from '../syntax/findFault.ts';
import { parseSegments } from '../syntax/parseSegments.ts';
import { isLarge, segmentsOf } from '../syntax/readSegment.ts';
import type { PlacedSegment } from '../syntax/Segment.ts';
import type { SyntaxNode, SyntaxParser } from '../syntax/SyntaxParser.ts';
import { LiveDocument, type TextChange } from './LiveDocument.ts';
import type { ProjectView } from './ProjectView.ts';
import type { Snapshot, SnapshotInputs } from './Snapshot.ts';
import { type FindingSource, SnapshotReader } from './SnapshotReader.ts';

interface LiveProjectOptions {
  /** Absolute path. */
  root: string;
  /** Name of the only file that belongs to the project; all files of the root when absent. */
  only?: string;
  parser: SyntaxParser;
  findings: new (files: ProjectFiles) => FindingSource;
  /** Called once for each file that crashes the reader. */
  onCrash: (file: string, error: unknown) => void;
}

export class LiveProject {
  readonly root: string;
  /** Why pyproject.toml is invalid; null when it is valid. The last valid configuration stays in effect. */
  configFault: ToolkitError | null = null;
  /** Number of finished snapshots. */
  recomputations = 0;
  readonly #options: LiveProjectOptions;
  readonly #files: ProjectFiles;
  readonly #documents = new Map<string, LiveDocument>();
  readonly #crashed = new Set<string>();
  readonly #reader: SnapshotReader;
  #inputs: SnapshotInputs;
  #openPyproject: string | null = null;
  #python: string | undefined;
  #configurations = 0;
  /** Incremented by every change. */
  #revision = 0;
  /** The newest finished snapshot, and its revision. */
  #snapshot: Snapshot;
  #snapshotOf = -1;
  /** The newest snapshot, updated with the current texts of open files; null until it is needed. */
  #current: Snapshot | null = null;

  constructor(options: LiveProjectOptions) {
    const { root, parser } = options;
    this.#options = options;
    this.root = root;
    this.#inputs = {
      config: defaultConfig(root),
      tables: { declarations: [], misplaced: [] },
      ignores: [],
      dependencies: new Dependencies({ root, env: process.env }),
      projectFaults: [],
    };
    this.#files = new ProjectFiles(root, {
      parser,
      onCrash: (file, error) => this.#crash(file, error),
    });
    this.#reader = new SnapshotReader(this.#files, new options.findings(this.#files), true);
    this.#snapshot = runSteps(this.#reader.read(this.#inputs));
  }

  /** Walks the project and looks at every file. */
  *read(): Steps {
    const { only } = this.#options;
    if (only === undefined) yield* this.#files.read();
    else this.#files.readAlone(only);
    this.#revision += 1;
  }

  /** Reads pyproject.toml and the configuration files next to it. */
  async configure(): Promise<void> {
    this.#configurations += 1;
    const own = this.#configurations;
    const { dependencies } = this.#inputs;
    try {
      const text = this.pyprojectText();
      const config = readProjectConfig(this.root, text);
      const toml = await readTables(this.root, text);
      const faults = await projectFaults(text, config);
      // A later call may have finished first.
      if (own !== this.#configurations) return;
      this.#inputs = { config, ...toml, dependencies, projectFaults: faults };
      this.configFault = null;
    } catch (error) {
      if (!(error instanceof ToolkitError)) throw error;
      if (own === this.#configurations) this.configFault = error;
    }
    this.#refreshDependencies();
    this.#revision += 1;
  }

  /**
   * Reads again the files and folders that were created, changed or removed on disk. An open text overrides
   * its file.
   *
   * @param places - Relative to the root, with `/`.
   */
  *refresh(places: readonly string[]): Steps {
    const { only } = this.#options;
    this.#refreshDependencies();
    if (only === undefined) {
      const changed = yield* this.#files.refresh(places);
      if (changed) this.#revision += 1;
    } else {
      // The file may import files next to it that were created or removed.
      this.#files.readAlone(only);
      this.#revision += 1;
    }
  }

  /** Called when an editor has opened a file. */
  open(file: string, text: string): void {
    this.close(file);
    this.#contained(file, () => {
      const document = new LiveDocument(
        { file, text },
        this.#options.parser,
        this.#files.known(file) ?? null,
      );
      this.#documents.set(file, document);
      this.#show(file, document);
    });
  }

  /**
   * Called when an editor has changed the text of a file.
   *
   * @returns False if the facts of the file are the same as before. True for a large text, which is read
   *   later.
   */
  change(file: string, changes: readonly TextChange[]): boolean {
    const document = this.#documents.get(file);
    let changed = false;
    this.#contained(file, () => {
      changed = document?.change(changes) ?? false;
    });
    if (!document || !changed) return false;
    if (document.isRead) this.#show(file, document);
    return true;
  }

  /** Called when an editor has closed a file: the text on disk counts again. */
  close(file: string): void {
    if (this.#documents.delete(file)) this.#show(file, null);
  }

  /** Sets the text of pyproject.toml in an editor; null once it is closed. The next `configure` reads it. */
  showPyproject(text: string | null): void {
    this.#openPyproject = text;
  }

  /** Sets the interpreter whose packages are used; undefined if the editor does not select one. */
  usePython(python: string | undefined): void {
    if (python === this.#python) return;
    this.#python = python;
    const search = { root: this.root, python, env: process.env };
    this.#inputs = { ...this.#inputs, dependencies: new Dependencies(search, this.#openPyproject) };
    this.#revision += 1;
  }

  /** The text of pyproject.toml: the open text, otherwise the text on disk; null when there is none. */
  pyprojectText(): string | null {
    return this.#openPyproject ?? pyprojectText(this.root);
  }

  /** Updates the snapshot, at most one file in each step. Includes changes that happen in the meantime. */
  *update(): Steps {
    for (;;) {
      yield* this.#readDocuments();
      if (this.#snapshotOf === this.#revision) return;
      const revision = this.#revision;
      this.#snapshot = this.#restricted(yield* this.#reader.read(this.#inputs));
      this.#snapshotOf = revision;
      this.#current = null;
      this.recomputations += 1;
    }
  }

  /**
   * Findings of every file that has any. A file whose findings have not changed keeps the same list object.
   */
  get findings(): ReadonlyMap<string, readonly Diagnostic[]> {
    return this.#snapshot.findings;
  }

  /**
   * The findings of a file, computed from the current texts of open files and the last snapshot of all
   * others.
   */
  findingsNow(file: string): readonly Diagnostic[] {
    return this.#now().findings.get(file) ?? [];
  }

  /** Number of times that a file was read from disk. */
  get reads(): number {
    return this.#files.reads;
  }

  /** Number of Python files that were looked at. */
  get count(): number {
    return this.#files.count;
  }

  /** Every Python file that was looked at. */
  get files(): Iterable<string> {
    return this.#files.python;
  }

  /** Whether a file belongs to the project. */
  has(file: string): boolean {
    return this.#files.has(file);
  }

  /**
   * Whether a view uses the current text of a file. For a large open text, this is so only once the snapshot
   * is up to date.
   */
  isCurrent(file: string): boolean {
    const document = this.#documents.get(file);
    return !document || !isLarge(document.text) || (document.isRead && this.#snapshotOf === this.#revision);
  }

  /** Null for a file that is not open. */
  document(file: string): LiveDocument | null {
    return this.#documents.get(file) ?? null;
  }

  /** Folders in the root that are separate projects, relative to the root. */
  nestedProjects(): readonly string[] {
    return this.#files.nestedProjects();
  }

  /** All findings of all files. */
  diagnostics(): Diagnostic[] {
    return [...this.#snapshot.findings.values()].flat();
  }

  /** A view of the newest snapshot, with the current texts of open files. */
  view(): ProjectView {
    const files = this.#files;
    const { inputs, index, findings } = this.#now();
    return {
      root: this.root,
      config: inputs.config,
      index,
      dependencies: inputs.dependencies,
      files: files.python,
      diagnosticsOf: (file) => findings.get(file) ?? [],
      textOf: (file) => (file === PROJECT_FILES.pyproject ? this.pyprojectText() : files.textOf(file)),
      withTree: (file, walk) => this.#withTree(file, walk),
      readFacts: (file) => files.facts(file),
      withSegments: (file, isWanted, walk) =>
        parseSegments(this.#segments(file), isWanted, this.#options.parser, walk),
      withSegmentsNow: (file, isWanted, walk) => {
        if (!this.#documents.has(file) && isLarge(files.textOf(file) ?? '')) return;
        runSteps(parseSegments(this.#segments(file), isWanted, this.#options.parser, walk));
      },
      filesWithWord: (word) => this.#search(word),
    };
  }

  /**
   * Why Python cannot read a file, even if the file does not mention endpoints; null when it can, or when
   * there is no such file.
   */
  async syntaxFault(file: string): Promise<SyntaxFault | null> {
    if (!this.has(file)) return null;
    const facts = await finishSteps(this.#files.facts(file));
    if (facts) return facts.fault;
    const undecodable = this.#files.undecodable(file);
    if (!undecodable) return null;
    const start = { line: undecodable.line, character: 0 };
    return { message: undecodable.fault, range: { start, end: start }, fix: undecodable.fix };
  }

  /** The newest finished snapshot, as input for a build. */
  reading(): ProjectReading {
    const { inputs, index, findings } = this.#snapshot;
    const imports = new ImportReader(this.#files);
    const sites = index.endpoints();
    return {
      root: this.root,
      config: inputs.config,
      sites,
      endpoints: sites.filter(({ alternative }) => !alternative),
      diagnostics: [...findings.values()].flat(),
      files: this.#files.count,
      shippedFiles: () => Promise.resolve(this.#files.shipped()),
      importsOf: (file) => imports.of(file),
      textOf: (file) => this.#files.textOf(file),
    };
  }

  #now(): Snapshot {
    if (this.#current) return this.#current;
    const { index } = this.#snapshot;
    const changed = [...this.#documents].flatMap(([file, { text }]) =>
      isLarge(text) || index.ofFile(file)?.facts === this.#files.known(file) ? [] : [file],
    );
    this.#current = this.#restricted(this.#reader.patched(this.#snapshot, changed));
    return this.#current;
  }

  /** Reads large texts that have changed. */
  *#readDocuments(): Steps {
    for (const [file, document] of this.#documents) {
      if (document.isRead) continue;
      try {
        yield* document.read();
      } catch (error) {
        this.#crash(file, error);
      }
      if (this.#documents.get(file) === document) this.#show(file, document);
      yield;
    }
  }

  #show(file: string, document: LiveDocument | null): void {
    this.#files.show(file, document);
    this.#revision += 1;
    this.#current = null;
  }

  #refreshDependencies(): void {
    const { dependencies } = this.#inputs;
    const now = dependencies.refreshed(this.#openPyproject);
    if (now === dependencies) return;
    this.#inputs = { ...this.#inputs, dependencies: now };
    this.#revision += 1;
  }

  /** A project of a single file reports no findings in other files. */
  #restricted(snapshot: Snapshot): Snapshot {
    const { only } = this.#options;
    if (only === undefined) return snapshot;
    const findings = new Map([...snapshot.findings].filter(([file]) => file === only));
    return { ...snapshot, findings };
  }

  #contained(file: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#crash(file, error);
    }
  }

  #crash(file: string, error: unknown): void {
    if (error instanceof ToolkitError) throw error;
    if (this.#crashed.has(file)) return;
    this.#crashed.add(file);
    this.#options.onCrash(file, error);
  }

  #withTree<Result>(file: string, walk: (root: SyntaxNode, text: string) => Result): Result | null {
    const text = this.#files.textOf(file);
    if (text === null) return null;
    const tree = this.#options.parser.parse(text.replaceAll('\0', ' '));
    try {
      return walk(tree.rootNode, text);
    } finally {
      tree.delete();
    }
  }

  #segments(file: string): Iterable<PlacedSegment> {
    return this.#documents.get(file)?.segments() ?? segmentsOf(this.#files.textOf(file) ?? '');
  }

  *#search(word: string): Steps<string[]> {
    const bytes = Buffer.from(word);
    const found: string[] = [];
    for (const file of [...this.#files.python].sort()) {
      yield;
      const content = this.#files.bytesOf(file);
      if (content && mentionsWord(content, bytes)) found.push(file);
    }
    return found;
  }
}
