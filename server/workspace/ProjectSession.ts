/** One project in an editor: changes of its files → published diagnostics and tree. */
import path from 'node:path';
import type { TextDocumentContentChangeEvent, TextDocumentItem } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic } from '../../runtime/contract/diagnostic.ts';
import { PROJECT_FILES } from '../../runtime/contract/names.ts';
import { FindingReader } from '../../runtime/source/findings/FindingReader.ts';
import { LiveProject } from '../../runtime/source/snapshot/LiveProject.ts';
import type { Steps } from '../../runtime/source/steps.ts';
import { isLarge } from '../../runtime/source/syntax/readSegment.ts';
import type { SyntaxParser } from '../../runtime/source/syntax/SyntaxParser.ts';
import type { DiagnosticsPublisher } from '../publish/DiagnosticsPublisher.ts';
import { configDiagnostic, type DiagnosticSupport, toProtocol } from '../publish/toProtocol.ts';
import type { Turns } from './Turns.ts';
import { uriOfPath } from './uris.ts';

/** In milliseconds. Findings that compare files are published this long after the last keystroke. */
const SETTLE_DELAY = 100;

/** In milliseconds. Changes on disk come in bursts; a burst ends when no change follows within this time. */
const DISK_DELAY = 50;

/** What a session reads: a project's root, or a single file that belongs to no project. */
export interface ProjectScope {
  /** Absolute path. */
  root: string;
  /** Name of the single file. */
  only?: string;
}

/** What a session needs from the workspace. */
export interface SessionHost {
  parser: SyntaxParser;
  /** The interpreter that the editor selects for a root. */
  pythonOf(root: string): Promise<string | undefined>;
  turns: Turns;
  diagnostics: DiagnosticsPublisher;
  support: DiagnosticSupport;
  /**
   * Folders inside a root, relative to it, that are roots of other projects. Those publish their own findings.
   */
  rootsInside(root: string): readonly string[];
  /** Called when the project is up to date and its diagnostics are published, but not yet its tree. */
  onSettled(session: ProjectSession): Promise<void>;
  /** Called when a large file is opened, which is read in slices. */
  onLarge(place: string): void;
  /** Called when the server failed on a file or during long work. */
  onFault(place: string, error: unknown): void;
}

interface OpenDocument {
  uri: string;
  version: number;
  /** The text of pyproject.toml; null for a Python file, whose text the project keeps. */
  pyproject: TextDocument | null;
}

export class ProjectSession {
  readonly project: LiveProject;
  readonly scope: ProjectScope;
  /** Resolved when the project has been read for the first time. */
  readonly ready: Promise<void>;
  readonly #host: SessionHost;
  readonly #ended = new AbortController();
  /** Open documents by file, with URIs in the editor's spelling. */
  readonly #open = new Map<string, OpenDocument>();
  readonly #changedOnDisk = new Set<string>();
  #isRead = false;
  #settling: NodeJS.Timeout | undefined;
  #refreshing: NodeJS.Timeout | undefined;
  #refreshed: Promise<void> = Promise.resolve();
  /** What was published for each file; null if it must be published again. */
  readonly #published = new Map<string, readonly Diagnostic[] | null>();
  /** Resolves when all changes so far have been read and published. */
  #settled: Promise<void> = Promise.resolve();

  constructor(host: SessionHost, scope: ProjectScope) {
    this.#host = host;
    this.scope = scope;
    this.project = new LiveProject({
      ...scope,
      parser: host.parser,
      findings: FindingReader,
      onCrash: (file, error) => host.onFault(path.join(scope.root, file), error),
    });
    this.ready = this.#first();
  }

  /** URI of the root, or of the single file. */
  get id(): string {
    const { root, only } = this.scope;
    return only === undefined ? uriOfPath(root) : this.uriOf(only);
  }

  /** The URI of one of its files. */
  uriOf(file: string): string {
    return this.#open.get(file)?.uri ?? uriOfPath(path.join(this.project.root, file));
  }

  /** The version of an open file's text; null if it is not open. */
  versionOf(file: string): number | null {
    return this.#open.get(file)?.version ?? null;
  }

  opened(file: string, { uri, version, text }: Pick<TextDocumentItem, 'uri' | 'version' | 'text'>): void {
    const isPython = file !== PROJECT_FILES.pyproject;
    const pyproject = isPython ? null : TextDocument.create(uri, 'toml', version, text);
    this.#spell(file, { uri, version, pyproject });
    this.#show(file, text);
    if (isPython && isLarge(text)) this.#host.onLarge(path.join(this.project.root, file));
  }

  changed(file: string, version: number, changes: readonly TextDocumentContentChangeEvent[]): void {
    const open = this.#open.get(file);
    if (!open) return;
    open.version = version;
    if (open.pyproject) {
      TextDocument.update(open.pyproject, [...changes], version);
      this.#show(file, open.pyproject.getText());
    } else if (this.project.change(file, changes)) this.#followEdit(file);
  }

  closed(file: string): void {
    this.#spell(file, null);
    this.#show(file, null);
  }

  /** Files or folders were created, changed or deleted, relative to the root. */
  changedOnDisk(places: readonly string[]): void {
    if (places.length === 0) return;
    for (const place of places) this.#changedOnDisk.add(place);
    clearTimeout(this.#refreshing);
    this.#refreshing = setTimeout(() => {
      this.#refreshed = this.#refresh();
    }, DISK_DELAY);
  }

  /** Asks the editor again for the project's interpreter. */
  usePython(): void {
    this.#refreshed = this.#refreshed.then(async () => {
      await this.ready;
      this.project.usePython(await this.#host.pythonOf(this.project.root));
      await this.#settleNow();
    });
  }

  /** Something outside the project has changed: publishes the differences after a pause without keystrokes. */
  touch(): void {
    if (!this.#isRead) return;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => void this.#settleNow(), SETTLE_DELAY);
  }

  /** Waits until the current pyproject.toml has been read, which takes a moment after each change. */
  async caughtUp(): Promise<void> {
    if (this.#refreshing) this.#refreshed = this.#refresh();
    await this.#refreshed;
  }

  /** Waits until all changes so far have been read and published. */
  async current(): Promise<void> {
    await this.ready;
    await this.caughtUp();
    if (this.#settling) void this.#settleNow();
    await this.#settled;
  }

  /** Waits until no work is left. */
  async settled(): Promise<void> {
    await this.current();
    await this.#settleNow();
  }

  /** Withdraws all published diagnostics. */
  dispose(): void {
    this.#ended.abort();
    clearTimeout(this.#settling);
    clearTimeout(this.#refreshing);
    for (const file of this.#published.keys()) this.#host.diagnostics.publish(this, this.uriOf(file), []);
  }

  async #first(): Promise<void> {
    const python = this.#host.pythonOf(this.project.root);
    await this.work(() => this.project.read());
    this.project.usePython(await python);
    await this.project.configure();
    this.#isRead = true;
    await this.#settleNow();
  }

  /** Uses the editor's spelling of a file's URI, and withdraws diagnostics published under another spelling. */
  #spell(file: string, open: OpenDocument | null): void {
    const before = this.uriOf(file);
    if (open) this.#open.set(file, open);
    else this.#open.delete(file);
    if (this.uriOf(file) === before) return;
    this.#host.diagnostics.publish(this, before, []);
    // Findings of other files can refer to this URI.
    for (const published of this.#published.keys()) this.#published.set(published, null);
  }

  /** Sets the text that an editor has open for a file; null if the file was closed. */
  #show(file: string, text: string | null): void {
    if (file === PROJECT_FILES.pyproject) {
      this.project.showPyproject(text);
      this.changedOnDisk([file]);
      return;
    }
    if (text === null) this.project.close(file);
    else this.project.open(file, text);
    // A file that is not on disk belongs to the project only while it is open.
    if (!this.project.has(file)) this.changedOnDisk([file]);
    if (text === null) this.touch();
    else this.#followEdit(file);
  }

  /** Publishes an edited file's own findings at once. The rest follows when the project has settled. */
  #followEdit(file: string): void {
    if (this.#isRead && this.project.isCurrent(file)) this.#publish(file, this.project.findingsNow(file));
    this.touch();
  }

  async #refresh(): Promise<void> {
    clearTimeout(this.#refreshing);
    this.#refreshing = undefined;
    await this.ready;
    const places = [...this.#changedOnDisk];
    this.#changedOnDisk.clear();
    if (places.some((place) => !place.includes('/') && !place.endsWith('.py')))
      await this.project.configure();
    await this.work(() => this.project.refresh(places));
    await this.#settleNow();
  }

  #settleNow(): Promise<void> {
    clearTimeout(this.#settling);
    this.#settling = undefined;
    this.#settled = this.#takeIn();
    return this.#settled;
  }

  async #takeIn(): Promise<void> {
    await this.work(() => this.project.update());
    if (this.#ended.signal.aborted) return;
    await this.work(() => this.#publishAll());
    if (!this.#ended.signal.aborted) await this.#host.onSettled(this);
  }

  /** Runs long work between requests. It is cancelled when the session ends. */
  async work(steps: Parameters<Turns['run']>[0]): Promise<void> {
    try {
      await this.#host.turns.run(steps, this.#ended.signal);
    } catch (error) {
      this.#host.onFault(this.project.root, error);
    }
  }

  *#publishAll(): Steps {
    const { findings, configFault } = this.project;
    const inside = this.#host.rootsInside(this.project.root);
    const files = new Set([...this.#published.keys(), ...findings.keys()]);
    if (configFault) files.add(PROJECT_FILES.pyproject);
    for (const file of files) {
      const found = (isIn(inside, file) ? null : findings.get(file)) ?? NOTHING;
      if (this.#published.get(file) === found && file !== PROJECT_FILES.pyproject) continue;
      this.#publish(file, found);
      yield;
    }
  }

  #publish(file: string, found: readonly Diagnostic[]): void {
    const { diagnostics, support } = this.#host;
    const { configFault } = this.project;
    const shown = found.map((one) => toProtocol(one, (other) => this.uriOf(other), support));
    if (configFault && file === PROJECT_FILES.pyproject) shown.push(configDiagnostic(configFault));
    if (shown.length > 0) this.#published.set(file, found);
    else this.#published.delete(file);
    diagnostics.publish(this, this.uriOf(file), shown, this.#open.get(file)?.version);
  }
}

const NOTHING: readonly Diagnostic[] = [];

function isIn(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => file.startsWith(`${folder}/`));
}
