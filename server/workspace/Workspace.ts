/** Workspace folders and open documents → their projects, each read once. */
import { homedir } from 'node:os';
import path from 'node:path';
import type { TextDocumentContentChangeEvent, TextDocumentItem } from 'vscode-languageserver';
import { nearestRoot } from '../../runtime/source/projectRoot.ts';
import { toolkitHome } from '../../runtime/source/toolkitHome.ts';
import { type ProjectScope, ProjectSession, type SessionHost } from './ProjectSession.ts';
import { pathOfUri, relativeTo } from './uris.ts';

/** A file in a project. */
export interface PlaceInProject {
  session: ProjectSession;
  /** Relative to the project's root, with `/`. */
  file: string;
}

/** A folder that does not exist: a document without a file has no neighboring files. */
const UNTITLED: ProjectScope = { root: path.resolve(path.sep, 'untitled'), only: 'untitled.py' };

/** What a workspace needs from the server. */
interface WorkspaceHost extends Omit<SessionHost, 'rootsInside'> {
  /** Called when the first reading of a project begins. */
  onBegun(session: ProjectSession): void;
  /** Called when projects were added or removed. */
  onMoved(): void;
}

export class Workspace {
  readonly #host: WorkspaceHost;
  /** URI → path. */
  readonly #folders = new Map<string, string>();
  /** Keyed by root, or by URI for a document that belongs to no folder and no project. */
  readonly #sessions = new Map<string, ProjectSession>();
  /** Open documents by URI; null for one that belongs to no session. */
  readonly #documents = new Map<string, PlaceInProject | null>();

  constructor(host: WorkspaceHost) {
    this.#host = host;
  }

  /** Adds folders to the workspace and removes others. */
  changeFolders({ added, removed }: { added: readonly string[]; removed: readonly string[] }): void {
    for (const uri of removed) this.#folders.delete(uri);
    for (const uri of added) {
      const folder = pathOfUri(uri);
      if (folder !== null) this.#folders.set(uri, folder);
    }
    this.#follow();
    // The tree contains the folder of each project.
    this.#touchAll();
  }

  /** Sorted by root. */
  get sessions(): ProjectSession[] {
    return [...this.#sessions.values()].sort((a, b) => (a.project.root < b.project.root ? -1 : 1));
  }

  /** The workspace folder that contains a root or is inside it; null if there is none. */
  folderOf(root: string): string | null {
    for (const [uri, folder] of this.#folders) {
      if (relativeTo(folder, root) !== null || relativeTo(root, folder) !== null) return uri;
    }
    return null;
  }

  /** Opens a document in its project, or in a session of its own if it has none. */
  open(document: Pick<TextDocumentItem, 'uri' | 'version' | 'text'>): void {
    this.#documents.set(document.uri, null);
    this.#follow();
    this.#show(document);
  }

  change(uri: string, version: number, changes: readonly TextDocumentContentChangeEvent[]): void {
    const place = this.#documents.get(uri);
    place?.session.changed(place.file, version, changes);
  }

  /** Closes a document, and its project if that was only read for this document. */
  close(uri: string): void {
    const place = this.#documents.get(uri);
    this.#documents.delete(uri);
    place?.session.closed(place.file);
    this.#follow();
  }

  /** The innermost project that contains a URI; null if there is none. */
  placeOf(uri: string): PlaceInProject | null {
    const alone = this.#sessions.get(uri);
    if (alone?.scope.only !== undefined) return { session: alone, file: alone.scope.only };
    const absolute = pathOfUri(uri);
    if (absolute === null) return null;
    const root = innermost(this.#sessions.keys(), absolute);
    return root === null ? null : { session: this.#sessions.get(root)!, file: relativeTo(root, absolute)! };
  }

  /**
   * Files or folders were created, changed or deleted on disk: in a project, in a parent folder of one, or next to a
   * single file.
   */
  changedOnDisk(uris: readonly string[]): void {
    const changed = uris.flatMap((uri) => pathOfUri(uri) ?? []);
    for (const session of this.#sessions.values()) {
      const { root, only } = session.scope;
      const inReach = changed.filter((place) => only === undefined || path.dirname(place) === root);
      session.changedOnDisk(inReach.flatMap((place) => relativeTo(root, place) ?? []));
      // When its folder or a parent folder changes, the whole project can have changed.
      const isOther = only === undefined && changed.some((place) => relativeTo(place, root) !== null);
      if (isOther) session.changedOnDisk(['', ...session.project.files]);
    }
  }

  /** Waits until every project is up to date, including those found in the meantime. */
  async settled(): Promise<void> {
    const known = new Set<ProjectSession>();
    while (this.sessions.some((session) => !known.has(session))) {
      for (const session of this.sessions) {
        known.add(session);
        await session.settled();
      }
    }
  }

  dispose(): void {
    for (const session of this.sessions) session.dispose();
    this.#sessions.clear();
  }

  #settled(session: ProjectSession): Promise<void> {
    this.#follow();
    return this.#host.onSettled(session);
  }

  /**
   * Starts and ends sessions so that each project needed by a folder or an open document has exactly one.
   */
  #follow(): void {
    const wanted = this.#wanted();
    const ended = [...this.#sessions].filter(([key]) => !wanted.has(key));
    const begun = [...wanted].filter(([key]) => !this.#sessions.has(key));
    if (ended.length + begun.length === 0) return;
    for (const [key] of ended) this.#sessions.delete(key);
    for (const [key, scope] of begun) this.#sessions.set(key, this.#begin(scope));
    for (const [uri, place] of this.#documents) if (place) this.#move(uri, place);
    this.#host.onMoved();
    for (const [, session] of ended) session.dispose();
    this.#touchAll();
  }

  #wanted(): Map<string, ProjectScope> {
    const wanted = new Map<string, ProjectScope>();
    const use = (root: string) => {
      if (wanted.has(root)) return;
      wanted.set(root, { root });
      const nested = this.#sessions.get(root)?.project.nestedProjects() ?? [];
      for (const folder of nested) use(path.join(root, folder));
    };
    for (const folder of this.#folders.values()) use(rootAround(folder) ?? folder);
    for (const uri of this.#documents.keys()) {
      const absolute = pathOfUri(uri);
      const root = absolute && (innermost(wanted.keys(), absolute) ?? rootAround(path.dirname(absolute)));
      if (root) use(root);
      else if (absolute) wanted.set(uri, { root: path.dirname(absolute), only: path.basename(absolute) });
      else if (/^untitled:/i.test(uri)) wanted.set(uri, UNTITLED);
    }
    return wanted;
  }

  /** Moves a document to the project that it now belongs to. */
  #move(uri: string, { session, file }: PlaceInProject): void {
    const place = this.placeOf(uri);
    if (!place || place.session === session) return;
    const text = session.project.view().textOf(file) ?? '';
    const version = session.versionOf(file) ?? 0;
    session.closed(file);
    this.#show({ uri, version, text });
  }

  #show(document: Pick<TextDocumentItem, 'uri' | 'version' | 'text'>): void {
    const place = this.placeOf(document.uri);
    this.#documents.set(document.uri, place);
    place?.session.opened(place.file, document);
  }

  #touchAll(): void {
    for (const session of this.#sessions.values()) session.touch();
  }

  #begin(scope: ProjectScope): ProjectSession {
    const begun = new ProjectSession(
      {
        ...this.#host,
        rootsInside: (root) => [...this.#sessions.keys()].flatMap((inner) => relativeTo(root, inner) || []),
        onSettled: (session) => this.#settled(session),
      },
      scope,
    );
    this.#host.onBegun(begun);
    return begun;
  }
}

/** The innermost of the roots that contain a path. */
function innermost(roots: Iterable<string>, absolute: string): string | null {
  const around = [...roots].filter((root) => relativeTo(root, absolute) !== null);
  return around.sort((a, b) => b.length - a.length)[0] ?? null;
}

/** The root of the project that contains a folder; null if there is none. */
function rootAround(folder: string): string | null {
  return nearestRoot(folder, homedir(), toolkitHome(process.env));
}
