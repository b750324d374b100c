/**
 * A project that stays current while it is edited: files on disk, open texts, and what follows from them. It does
 * nothing by itself: who owns it tells what has happened and gives it time.
 */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import { type Analysis, analyse, analyseFile, byPlace, type ProjectTables } from '../analyse.ts';
import { ProjectFiles } from '../discovery/ProjectFiles.ts';
import { mentionsWord } from '../discovery/prefilter.ts';
import { Dependencies } from '../environment/Dependencies.ts';
import { defaultConfig, pyprojectText, readProjectConfig } from '../projectConfig.ts';
import type { ProjectConfig } from '../reading.ts';
import { readTables } from '../readTables.ts';
import type { RuleSettings } from '../rules/rule.ts';
import type { Steps } from '../steps.ts';
import type { SyntaxNode, SyntaxParser } from '../syntax/SyntaxParser.ts';
import { LiveDocument, type TextChange } from './LiveDocument.ts';
import type { ProjectView } from './ProjectView.ts';
import { shiftRange } from './shift.ts';

/** The analysis has used up its time, and goes on when it is asked again. */
class TimeUsedUp extends Error {}

/** Files between two steps of a search. */
const SEARCH_SLICE = 50;

interface LiveProjectOptions {
  /** Absolute path. */
  root: string;
  /** Name of the only file that belongs to it; all files of the root when absent. */
  only?: string;
  parser: SyntaxParser;
  /** Told once of a file that cannot be read for a fault of ours. */
  onCrash: (file: string, error: unknown) => void;
}

export class LiveProject {
  readonly root: string;
  /** What the project requires, and which distributions its imports come from. */
  readonly dependencies: Dependencies;
  /** Why pyproject.toml cannot be understood; the last one that could holds on. */
  configFault: ToolkitError | null = null;
  /** How many times the index was made anew. */
  recomputations = 0;
  readonly #options: LiveProjectOptions;
  readonly #files: ProjectFiles;
  readonly #documents = new Map<string, LiveDocument>();
  readonly #crashed = new Set<string>();
  #config: ProjectConfig;
  #toml: ProjectTables = { tables: { declarations: [], misplaced: [] }, ignores: [] };
  #openPyproject: string | null = null;
  #configurations = 0;
  #analysis: Analysis | null = null;
  #stale = true;
  #workEnds: number | null = null;
  #slice: number | null = null;

  constructor(options: LiveProjectOptions) {
    this.#options = options;
    this.root = options.root;
    this.dependencies = new Dependencies({ root: options.root, env: process.env }, () => this.#spend());
    this.#config = defaultConfig(options.root);
    this.#files = new ProjectFiles(options.root, {
      parser: options.parser,
      beforeWork: () => this.#spend(),
      onCrash: (file, error) => this.#crash(file, error),
    });
  }

  /** Walks the project and looks at every file. */
  *read(): Steps {
    const { only } = this.#options;
    if (only === undefined) yield* this.#files.read();
    else this.#files.readAlone(only);
    this.#stale = true;
  }

  /** Reads pyproject.toml and what stands beside it. */
  async configure(): Promise<void> {
    this.#configurations += 1;
    const own = this.#configurations;
    try {
      const text = this.pyprojectText();
      const config = readProjectConfig(this.root, text);
      const toml = await readTables(this.root, text);
      // A later text may have been read sooner.
      if (own !== this.#configurations) return;
      this.#toml = toml;
      this.#config = config;
      this.configFault = null;
    } catch (error) {
      if (!(error instanceof ToolkitError)) throw error;
      if (own === this.#configurations) this.configFault = error;
    }
    this.#stale = true;
  }

  /**
   * Brings files and folders up to date that were made, changed or removed on disk. An open text wins over its file.
   *
   * @param places - Relative to the root, with `/`.
   */
  *refresh(places: readonly string[]): Steps {
    const { only } = this.#options;
    if (only === undefined) {
      const changed = yield* this.#files.refresh(places);
      this.#stale ||= changed;
    } else {
      // It may import what has come or gone beside it.
      this.#files.readAlone(only);
      this.#stale = true;
    }
  }

  /** An editor shows a file. */
  open(file: string, text: string): void {
    this.close(file);
    this.#contained(file, () => {
      const document = new LiveDocument({ file, text }, this.#options.parser);
      this.#documents.set(file, document);
      this.#files.show(file, document);
      this.#stale = true;
    });
  }

  /**
   * An editor has changed its text.
   *
   * @returns Whether anything follows from it: false when the file's facts are what they were.
   */
  change(file: string, changes: readonly TextChange[]): boolean {
    const document = this.#documents.get(file);
    let changed = false;
    this.#contained(file, () => {
      changed = document?.change(changes) ?? false;
    });
    if (!document || !changed) return false;
    this.#files.show(file, document);
    if (this.#analysis) this.#analysis = shifted(this.#analysis, file, changes);
    this.#stale = true;
    return true;
  }

  /** An editor shows a file no more: what is on disk counts again. */
  close(file: string): void {
    const document = this.#documents.get(file);
    if (!document) return;
    this.#documents.delete(file);
    this.#files.show(file, null);
    document.dispose();
    this.#stale = true;
  }

  /** An editor shows a text of pyproject.toml; null when it shows it no more. */
  showPyproject(text: string | null): void {
    this.#openPyproject = text;
    this.dependencies.showPyproject(text);
  }

  /** The editor names the interpreter whose packages count; undefined where it names none. */
  usePython(python: string | undefined): void {
    if (this.dependencies.usePython(python)) this.#stale = true;
  }

  /** The text of pyproject.toml: the one that an editor shows, else the one on disk; null when there is none. */
  pyprojectText(): string | null {
    return this.#openPyproject ?? pyprojectText(this.root);
  }

  /** The findings in an open file after a change: its own as they are now, the others as they last were. */
  findingsNow(file: string): Diagnostic[] {
    const known = this.#current(false);
    const own = analyseFile(this.#files, file, { toml: this.#toml, settings: this.#settings(), known });
    return [...own, ...known.ofProject.filter((found) => found.file === file)].sort(byPlace);
  }

  /**
   * Works on the index for some time.
   *
   * @param milliseconds - How long; one file at least is parsed.
   * @returns Whether the index is now up to date.
   */
  advance(milliseconds: number): boolean {
    if (!this.#stale) return true;
    this.#slice = milliseconds;
    this.#workEnds = null;
    try {
      this.#current(true);
      return true;
    } catch (error) {
      if (error instanceof TimeUsedUp) return false;
      throw error;
    } finally {
      this.#slice = null;
    }
  }

  /** How many times a file was read from disk. */
  get reads(): number {
    return this.#files.reads;
  }

  /** How many Python files were looked at. */
  get count(): number {
    return this.#files.count;
  }

  /** Every Python file that was looked at. */
  get files(): Iterable<string> {
    return this.#files.python;
  }

  /** How many syntax trees are kept. */
  get trees(): number {
    return this.#documents.size;
  }

  /** Whether a file is one of the project's. */
  has(file: string): boolean {
    return this.#files.has(file);
  }

  /** An open file. */
  document(file: string): LiveDocument | null {
    return this.#documents.get(file) ?? null;
  }

  /** Folders of the root that are projects of their own, relative to it. */
  nestedProjects(): readonly string[] {
    return this.#files.nestedProjects();
  }

  /** All findings, of every file. */
  diagnostics(): Diagnostic[] {
    const { ofFiles, ofProject } = this.#current(true);
    return [...ofFiles, ...ofProject].sort(byPlace);
  }

  /** The project at this moment. */
  view(): ProjectView {
    const files = this.#files;
    const { index, ofFiles, ofProject } = this.#current(true);
    return {
      root: this.root,
      config: this.#config,
      index,
      dependencies: this.dependencies,
      files: files.python,
      diagnosticsOf: (file) =>
        [...ofFiles, ...ofProject].filter((found) => found.file === file).sort(byPlace),
      textOf: (file) => (file === PROJECT_FILES.pyproject ? this.pyprojectText() : files.textOf(file)),
      withTree: (file, walk) => this.#withTree(file, walk),
      filesWithWord: (word, signal) => this.#search(word, signal),
    };
  }

  /** Gives back the trees of open files. */
  dispose(): void {
    for (const document of this.#documents.values()) document.dispose();
    this.#documents.clear();
  }

  /** The analysis; when it `mustBeFresh`, made anew after a change. */
  #current(mustBeFresh: boolean): Analysis {
    if (this.#analysis && (!this.#stale || !mustBeFresh)) return this.#analysis;
    const { only } = this.#options;
    const found = analyse(this.#files, this.#toml, this.#settings());
    this.#analysis = only === undefined ? found : ofFile(found, only);
    this.#stale = false;
    this.recomputations += 1;
    return this.#analysis;
  }

  #settings(): RuleSettings {
    const { quota, python } = this.#config;
    return { quota, python, dependencies: this.dependencies };
  }

  /** Time counts from the first work on, so that each slice gets one file further. */
  #spend(): void {
    if (this.#slice === null) return;
    const now = performance.now();
    if (this.#workEnds === null) this.#workEnds = now + this.#slice;
    else if (now > this.#workEnds) throw new TimeUsedUp();
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
    const open = this.#documents.get(file);
    if (open) return walk(open.root, open.text);
    const text = this.#files.textOf(file);
    if (text === null) return null;
    const tree = this.#options.parser.parse(text.replaceAll('\0', ' '));
    try {
      return walk(tree.rootNode, text);
    } finally {
      tree.delete();
    }
  }

  async #search(word: string, signal: AbortSignal): Promise<string[]> {
    const bytes = Buffer.from(word);
    const found: string[] = [];
    let looked = 0;
    for (const file of [...this.#files.python].sort()) {
      looked += 1;
      if (looked % SEARCH_SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      const content = this.#files.bytesOf(file);
      if (content && mentionsWord(content, bytes)) found.push(file);
    }
    return found;
  }
}

/** An analysis of a file that stands alone: what lies beside it is none of its business. */
function ofFile(known: Analysis, only: string): Analysis {
  const here = (found: readonly Diagnostic[]) => found.filter(({ file }) => file === only);
  return { ...known, ofFiles: here(known.ofFiles), ofProject: here(known.ofProject) };
}

/** An analysis whose findings in an edited file stand where they are after the edit. */
function shifted(known: Analysis, file: string, changes: readonly TextChange[]): Analysis {
  const ofProject = known.ofProject.map((found) =>
    found.file === file ? { ...found, range: shiftRange(found.range, changes) } : found,
  );
  return { ...known, ofProject };
}
