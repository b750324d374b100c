/** Workspace folders and open documents → the projects that they belong to, each read once. */
import { homedir } from 'node:os';
import path from 'node:path';
import { nearestRoot } from '../../runtime/source/projectRoot.ts';
import { ProjectSession, type SessionHost } from './ProjectSession.ts';
import { pathOfUri, relativeTo } from './uris.ts';

/** A place in a project. */
export interface PlaceInProject {
  session: ProjectSession;
  /** Relative to the project's root, with `/`. */
  file: string;
}

/** A folder that there is not: what has no file has no neighbours. */
const UNTITLED = path.resolve(path.sep, 'untitled');

export class Workspace {
  readonly #host: Omit<SessionHost, 'onSettled'>;
  readonly #onSettled: SessionHost['onSettled'];
  /** URI → path. */
  readonly #folders = new Map<string, string>();
  /** By root. */
  readonly #sessions = new Map<string, ProjectSession>();
  /** Of documents that belong to no folder and no project, by URI. */
  readonly #alone = new Map<string, PlaceInProject>();
  /** Roots of projects that only an open document asks for, with those documents. */
  readonly #visited = new Map<string, Set<string>>();

  constructor(host: Omit<SessionHost, 'onSettled'>, onSettled: SessionHost['onSettled']) {
    this.#host = host;
    this.#onSettled = onSettled;
  }

  addFolder(uri: string): void {
    const folder = pathOfUri(uri);
    if (folder === null) return;
    this.#folders.set(uri, folder);
    this.#ensure(rootOf(folder));
  }

  removeFolder(uri: string): void {
    this.#folders.delete(uri);
    this.#disposeUnused();
  }

  /** In order of root. */
  get sessions(): ProjectSession[] {
    return [...this.#sessions.values(), ...[...this.#alone.values()].map(({ session }) => session)].sort(
      (a, b) => (a.project.root < b.project.root ? -1 : 1),
    );
  }

  /** The workspace folder that a root is in, or that is in the root; null when there is none. */
  folderOf(root: string): string | null {
    for (const [uri, folder] of this.#folders) {
      if (relativeTo(folder, root) !== null || relativeTo(root, folder) !== null) return uri;
    }
    return null;
  }

  /** The project that a document belongs to; opens one for a document that belongs to none. */
  placeOfDocument(uri: string): PlaceInProject | null {
    const known = this.placeOf(uri);
    if (known) return known;
    if (/^untitled:/i.test(uri)) return this.#standAlone(uri, { root: UNTITLED, file: 'untitled.py' });
    const absolute = pathOfUri(uri);
    if (absolute === null) return null;
    const root = nearestRoot(path.dirname(absolute), homedir(), toolkitHome());
    const file = path.basename(absolute);
    if (root === null) return this.#standAlone(uri, { root: path.dirname(absolute), file });
    this.#visited.set(root, (this.#visited.get(root) ?? new Set()).add(uri));
    this.#ensure(root);
    return this.placeOf(uri);
  }

  /** The project that a URI is in: the innermost one. */
  placeOf(uri: string): PlaceInProject | null {
    const alone = this.#alone.get(uri);
    if (alone) return alone;
    const absolute = pathOfUri(uri);
    if (absolute === null) return null;
    let found: PlaceInProject | null = null;
    for (const [root, session] of this.#sessions) {
      const file = relativeTo(root, absolute);
      if (file !== null && (!found || root.length > found.session.project.root.length))
        found = { session, file };
    }
    return found;
  }

  /** Every project that a path on disk is in: a folder that is gone may have held the inner one. */
  placesAround(uri: string): PlaceInProject[] {
    const absolute = pathOfUri(uri);
    if (absolute === null) return [];
    return [...this.#sessions].flatMap(([root, session]) => {
      const file = relativeTo(root, absolute);
      return file === null ? [] : [{ session, file }];
    });
  }

  /** A document was closed: a project that was read for it alone is given up. */
  closedDocument(uri: string): void {
    this.#alone.get(uri)?.session.dispose();
    this.#alone.delete(uri);
    for (const [root, documents] of this.#visited) {
      documents.delete(uri);
      if (documents.size === 0) this.#visited.delete(root);
    }
    this.#disposeUnused();
  }

  /** Waits until every project is up to date, and those that are found on the way. */
  async settled(): Promise<void> {
    let known = 0;
    while (known < this.sessions.length) {
      known = this.sessions.length;
      for (const session of this.sessions) await session.settled();
    }
  }

  dispose(): void {
    for (const session of this.sessions) session.dispose();
    this.#sessions.clear();
    this.#alone.clear();
  }

  #ensure(root: string): ProjectSession {
    const known = this.#sessions.get(root);
    if (known) return known;
    const session = new ProjectSession(
      { ...this.#host, onSettled: (settled) => this.#settled(settled) },
      { root },
    );
    this.#sessions.set(root, session);
    return session;
  }

  #settled(session: ProjectSession): Promise<void> {
    const { root } = session.project;
    for (const nested of session.project.nestedProjects()) this.#ensure(path.join(root, nested));
    this.#disposeUnused();
    return this.#onSettled(session);
  }

  /** Roots of folders and of open documents count, and the projects inside of them. */
  #disposeUnused(): void {
    const used = new Set([...[...this.#folders.values()].map(rootOf), ...this.#visited.keys()]);
    for (const root of used) {
      const nested = this.#sessions.get(root)?.project.nestedProjects() ?? [];
      for (const folder of nested) used.add(path.join(root, folder));
    }
    for (const [root, session] of this.#sessions) {
      if (used.has(root)) continue;
      this.#sessions.delete(root);
      session.dispose();
    }
  }

  #standAlone(uri: string, { root, file }: { root: string; file: string }): PlaceInProject {
    const session = new ProjectSession({ ...this.#host, onSettled: this.#onSettled }, { root, only: file });
    const place = { session, file };
    this.#alone.set(uri, place);
    return place;
  }
}

function rootOf(folder: string): string {
  return nearestRoot(folder, homedir(), toolkitHome()) ?? folder;
}

function toolkitHome(): string {
  return process.env.TOOLKIT_HOME ?? path.join(homedir(), '.toolkit');
}
