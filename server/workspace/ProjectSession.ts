/** One project while an editor works on it: what happens to its files → the diagnostics and the tree that are told. */
import path from 'node:path';
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver';
import type { Diagnostic } from '../../runtime/contract/diagnostic.ts';
import { PROJECT_FILES } from '../../runtime/contract/names.ts';
import { FindingReader } from '../../runtime/source/findings/FindingReader.ts';
import { LiveDocument } from '../../runtime/source/snapshot/LiveDocument.ts';
import { LiveProject } from '../../runtime/source/snapshot/LiveProject.ts';
import type { Steps } from '../../runtime/source/steps.ts';
import type { SyntaxParser } from '../../runtime/source/syntax/SyntaxParser.ts';
import type { DocumentText } from '../features/feature.ts';
import { configDiagnostic } from '../publish/configDiagnostic.ts';
import type { DiagnosticsPublisher } from '../publish/DiagnosticsPublisher.ts';
import { type DiagnosticSupport, toProtocol } from '../publish/toProtocol.ts';
import type { Turns } from './Turns.ts';
import { uriOfPath } from './uris.ts';

/** Findings that compare files are told this long after the last keystroke, milliseconds. */
const SETTLE_DELAY = 100;

/** Changes on disk come in crowds; they are taken together when none has come for this long, milliseconds. */
const DISK_DELAY = 50;

/** Files that say which others belong to the project: with one of them, its folder is walked anew. */
const WALK_RULES: ReadonlySet<string> = new Set([
  '.gitignore',
  PROJECT_FILES.ignore,
  PROJECT_FILES.pyproject,
]);

/** What a session needs of the workspace around it. */
export interface SessionHost {
  parser: SyntaxParser;
  /** The interpreter that the editor names for a root. */
  pythonOf(root: string): Promise<string | undefined>;
  turns: Turns;
  diagnostics: DiagnosticsPublisher;
  support: DiagnosticSupport;
  /** Folders of a root that are roots of other projects, relative to it: those tell what is found in them. */
  rootsInside(root: string): readonly string[];
  /** The project's index is up to date; what follows from it is still to be told. */
  onSettled(session: ProjectSession): Promise<void>;
  /** A fault of ours in a file or in long work, told once for each place. */
  onFault(place: string, error: unknown): void;
}

interface OpenUri {
  uri: string;
  version: number;
}

export class ProjectSession {
  readonly project: LiveProject;
  /** Resolved when the project has been read for the first time. */
  readonly ready: Promise<void>;
  readonly #host: SessionHost;
  readonly #only: string | undefined;
  readonly #ended = new AbortController();
  /** By file, as the editor spells them. */
  readonly #open = new Map<string, OpenUri>();
  readonly #changedOnDisk = new Set<string>();
  #isRead = false;
  #settling: NodeJS.Timeout | null = null;
  #refreshing: NodeJS.Timeout | null = null;
  #refreshed: Promise<void> = Promise.resolve();
  /** What was told of each file; null where it is to be told again. */
  readonly #told = new Map<string, readonly Diagnostic[] | null>();
  /** Ends when all that has happened until now is taken in. */
  #settled: Promise<void> = Promise.resolve();
  #noPython: LiveDocument | null = null;

  constructor(host: SessionHost, place: { root: string; only?: string }) {
    this.#host = host;
    this.#only = place.only;
    this.project = new LiveProject({
      ...place,
      parser: host.parser,
      findings: FindingReader,
      onCrash: (file, error) => host.onFault(path.join(place.root, file), error),
    });
    this.ready = this.#first();
  }

  /** URI of the root, or of the file for one that belongs to no project. */
  get id(): string {
    return this.#only === undefined ? uriOfPath(this.project.root) : this.uriOf(this.#only);
  }

  /** The URI of one of its files. */
  uriOf(file: string): string {
    return this.#open.get(file)?.uri ?? uriOfPath(path.join(this.project.root, file));
  }

  /** The version of an open file's text; null for one that is not open. */
  versionOf(file: string): number | null {
    return this.#open.get(file)?.version ?? null;
  }

  opened(file: string, { uri, version, text }: OpenUri & { text: string }): void {
    this.#spell(file, { uri, version });
    if (file === PROJECT_FILES.pyproject) {
      this.project.showPyproject(text);
      this.#diskChanged(file);
      return;
    }
    this.project.open(file, text);
    this.#lookForNew(file);
    this.#tellFile(file);
    this.#settle(SETTLE_DELAY);
  }

  changed(
    file: string,
    version: number,
    changes: readonly TextDocumentContentChangeEvent[],
    text: string,
  ): void {
    const open = this.#open.get(file);
    if (open) open.version = version;
    if (file === PROJECT_FILES.pyproject) {
      this.project.showPyproject(text);
      this.#diskChanged(file);
    } else if (this.project.change(file, changes)) {
      this.#tellFile(file);
      this.#settle(SETTLE_DELAY);
    }
  }

  closed(file: string): void {
    this.#spell(file, null);
    if (file === PROJECT_FILES.pyproject) {
      this.project.showPyproject(null);
      this.#diskChanged(file);
      return;
    }
    this.project.close(file);
    this.#lookForNew(file);
    this.#settle(SETTLE_DELAY);
  }

  /** An open document as features see it; pyproject.toml has no Python in it. */
  openFile(file: string): DocumentText | null {
    const uri = this.#open.get(file)?.uri;
    if (uri === undefined) return null;
    if (file === PROJECT_FILES.pyproject) {
      this.#noPython ??= new LiveDocument({ file, text: '' }, this.#host.parser);
      return { uri, file, text: this.project.pyprojectText() ?? '', facts: this.#noPython.facts };
    }
    const document = this.project.document(file);
    return document && { uri, file, text: document.text, facts: document.facts };
  }

  /** Files or folders were made, changed or removed, relative to the root. */
  changedOnDisk(places: readonly string[]): void {
    for (const place of places) this.#diskChanged(place);
  }

  /** The editor may name another interpreter. */
  usePython(): void {
    this.#refreshed = this.#refreshed.then(async () => {
      await this.ready;
      this.project.usePython(await this.#host.pythonOf(this.project.root));
      await this.#settleNow();
    });
  }

  /** All of it may be other than it was. */
  replaced(): void {
    this.changedOnDisk(['', ...this.project.files]);
  }

  /** Something around the project has changed: what there is to tell is told again, as far as it differs. */
  touch(): void {
    this.#settle(SETTLE_DELAY);
  }

  /** Waits until what pyproject.toml says now is read, which takes a moment after each change. */
  async caughtUp(): Promise<void> {
    if (this.#refreshing) this.#refreshed = this.#refresh();
    await this.#refreshed;
  }

  /** Waits until what has happened until now is taken in. */
  async current(): Promise<void> {
    await this.ready;
    await this.caughtUp();
    if (this.#settling) void this.#settleNow();
    await this.#settled;
  }

  /** Waits until nothing is left to be done. */
  async settled(): Promise<void> {
    await this.ready;
    await this.caughtUp();
    await this.#settleNow();
  }

  /** Takes back what was told, and frees what it holds. */
  dispose(): void {
    this.#ended.abort();
    if (this.#settling) clearTimeout(this.#settling);
    if (this.#refreshing) clearTimeout(this.#refreshing);
    for (const file of this.#told.keys()) this.#host.diagnostics.publish(this, this.uriOf(file), []);
    this.project.dispose();
    this.#noPython?.dispose();
  }

  async #first(): Promise<void> {
    const python = this.#host.pythonOf(this.project.root);
    await this.work(() => this.project.read());
    this.project.usePython(await python);
    await this.project.configure();
    this.#isRead = true;
    await this.#settleNow();
  }

  /** An editor spells a URI in its own way: what was told of another one is taken back. */
  #spell(file: string, open: OpenUri | null): void {
    const before = this.uriOf(file);
    if (open) this.#open.set(file, open);
    else this.#open.delete(file);
    if (this.uriOf(file) === before) return;
    this.#host.diagnostics.publish(this, before, []);
    // Findings of other files may name it.
    for (const told of this.#told.keys()) this.#told.set(told, null);
  }

  /** A file that is not on disk yet belongs to the project while it is shown, and no longer. */
  #lookForNew(file: string): void {
    if (!this.project.has(file)) this.#diskChanged(file);
  }

  #diskChanged(place: string): void {
    const name = path.posix.basename(place);
    const folder = path.posix.dirname(place);
    this.#changedOnDisk.add(place);
    if (WALK_RULES.has(name)) this.#changedOnDisk.add(folder === '.' ? '' : folder);
    if (this.#refreshing) clearTimeout(this.#refreshing);
    this.#refreshing = setTimeout(() => {
      this.#refreshed = this.#refresh();
    }, DISK_DELAY);
  }

  async #refresh(): Promise<void> {
    if (this.#refreshing) clearTimeout(this.#refreshing);
    this.#refreshing = null;
    await this.ready;
    const places = [...this.#changedOnDisk];
    this.#changedOnDisk.clear();
    if (places.some((place) => !place.includes('/') && !place.endsWith('.py')))
      await this.project.configure();
    await this.work(() => this.project.refresh(places));
    await this.#settleNow();
  }

  #settle(delay: number): void {
    if (!this.#isRead) return;
    if (this.#settling) clearTimeout(this.#settling);
    this.#settling = setTimeout(() => void this.#settleNow(), delay);
  }

  #settleNow(): Promise<void> {
    if (this.#settling) clearTimeout(this.#settling);
    this.#settling = null;
    this.#settled = this.#takeIn();
    return this.#settled;
  }

  async #takeIn(): Promise<void> {
    await this.work(() => this.project.update());
    if (this.#ended.signal.aborted) return;
    await this.work(() => this.#tellAll());
    if (!this.#ended.signal.aborted) await this.#host.onSettled(this);
  }

  /** Runs long work between requests; it ends with the session. */
  async work(steps: Parameters<Turns['run']>[0]): Promise<void> {
    try {
      await this.#host.turns.run(steps, this.#ended.signal);
    } catch (error) {
      this.#host.onFault(this.project.root, error);
    }
  }

  /** What follows from a change at once; the rest is told when the project has settled. */
  #tellFile(file: string): void {
    if (this.#isRead && this.project.isCurrent(file)) this.#tell(file, this.project.findingsNow(file));
  }

  *#tellAll(): Steps {
    const { findings, configFault } = this.project;
    const inside = this.#host.rootsInside(this.project.root);
    const files = new Set([...this.#told.keys(), ...findings.keys()]);
    if (configFault) files.add(PROJECT_FILES.pyproject);
    for (const file of files) {
      const found = (isIn(inside, file) ? null : findings.get(file)) ?? NOTHING;
      const isNews = this.#told.get(file) !== found || file === PROJECT_FILES.pyproject;
      if (!isNews) continue;
      this.#tell(file, found);
      yield;
    }
  }

  #tell(file: string, found: readonly Diagnostic[]): void {
    const { diagnostics, support } = this.#host;
    const { configFault } = this.project;
    const told = found.map((one) => toProtocol(one, (other) => this.uriOf(other), support));
    if (configFault && file === PROJECT_FILES.pyproject) told.push(configDiagnostic(configFault));
    if (told.length > 0) this.#told.set(file, found);
    else this.#told.delete(file);
    diagnostics.publish(this, this.uriOf(file), told, this.#open.get(file)?.version);
  }
}

const NOTHING: readonly Diagnostic[] = [];

function isIn(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => file.startsWith(`${folder}/`));
}
