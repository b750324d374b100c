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

/** Where an open document belongs to: a root, or nobody's project. */
type Home = { root: string } | 'alone' | null;

type OuterHost = Omit<SessionHost, 'onSettled' | 'rootsInside'>;

interface WorkspaceEvents {
  /** A project begins to be read. */
  onBegun(session: ProjectSession): void;
  onSettled: SessionHost['onSettled'];
  /** Projects came or went: an open document may belong to another one now, and those that went end after this. */
  onMoved(): void;
}

export class Workspace {
  readonly #host: OuterHost;
  readonly #events: WorkspaceEvents;
  /** URI → path. */
  readonly #folders = new Map<string, string>();
  /** By root. */
  readonly #sessions = new Map<string, ProjectSession>();
  /** URIs of open documents. */
  readonly #documents = new Set<string>();
  /** Of documents that belong to no folder and no project, by URI. */
  readonly #alone = new Map<string, PlaceInProject>();

  constructor(host: OuterHost, events: WorkspaceEvents) {
    this.#host = host;
    this.#events = events;
  }

  /** Folders are added to the workspace and taken from it. */
  changeFolders({ added, removed }: { added: readonly string[]; removed: readonly string[] }): void {
    for (const uri of removed) this.#folders.delete(uri);
    for (const uri of added) {
      const folder = pathOfUri(uri);
      if (folder !== null) this.#folders.set(uri, folder);
    }
    this.#follow();
    // Each project tells the folder that it is in.
    this.#touchAll();
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

  /** The project that a document belongs to, which is opened; one of its own for a document that belongs to none. */
  openDocument(uri: string): PlaceInProject | null {
    this.#documents.add(uri);
    this.#follow();
    return this.placeOf(uri);
  }

  /** A document was closed: a project that was read for it alone is given up. */
  closeDocument(uri: string): void {
    this.#documents.delete(uri);
    this.#follow();
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

  /** Something was made, changed or removed on disk: in projects, beside files that stand alone, or around a project. */
  changedOnDisk(uris: readonly string[]): void {
    const changed = uris.flatMap((uri) => pathOfUri(uri) ?? []);
    for (const session of this.#sessions.values()) {
      const { root } = session.project;
      session.changedOnDisk(changed.flatMap((place) => relativeTo(root, place) ?? []));
      // With its folder, or one around it, the project itself may be another one.
      if (changed.some((place) => relativeTo(place, root) !== null)) session.replaced();
    }
    for (const { session } of this.#alone.values()) {
      const { root } = session.project;
      const beside = changed.filter((place) => path.dirname(place) === root);
      session.changedOnDisk(beside.map((place) => path.basename(place)));
    }
  }

  /** Waits until every project is up to date, and those that are found on the way. */
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
    this.#alone.clear();
  }

  #settled(session: ProjectSession): Promise<void> {
    this.#follow();
    return this.#events.onSettled(session);
  }

  /** Has a session for each project that a folder or an open document asks for, and for no other. */
  #follow(): void {
    const roots = new Set<string>();
    const use = (root: string) => {
      if (roots.has(root)) return;
      roots.add(root);
      const nested = this.#sessions.get(root)?.project.nestedProjects() ?? [];
      for (const folder of nested) use(path.join(root, folder));
    };
    for (const folder of this.#folders.values()) use(rootOf(folder));
    const alone = new Set<string>();
    for (const uri of this.#documents) {
      const home = homeOf(uri, roots);
      if (home === 'alone') alone.add(uri);
      else if (home) use(home.root);
    }
    const ended = [...this.#sessions].filter(([root]) => !roots.has(root));
    const left = [...this.#alone].filter(([uri]) => !alone.has(uri));
    const came = [...roots].filter((root) => !this.#sessions.has(root));
    const lonely = [...alone].filter((uri) => !this.#alone.has(uri));
    if (ended.length + left.length + came.length + lonely.length === 0) return;
    for (const [root] of ended) this.#sessions.delete(root);
    for (const [uri] of left) this.#alone.delete(uri);
    for (const root of came) this.#sessions.set(root, this.#begin({ root }));
    for (const uri of lonely) this.#alone.set(uri, this.#standAlone(uri));
    this.#events.onMoved();
    for (const [, session] of ended) session.dispose();
    for (const [, { session }] of left) session.dispose();
    this.#touchAll();
  }

  #touchAll(): void {
    for (const session of this.#sessions.values()) session.touch();
  }

  #begin(place: { root: string; only?: string }): ProjectSession {
    const begun = new ProjectSession(
      {
        ...this.#host,
        rootsInside: (root) => [...this.#sessions.keys()].flatMap((inner) => relativeTo(root, inner) || []),
        onSettled: (session) => this.#settled(session),
      },
      place,
    );
    this.#events.onBegun(begun);
    return begun;
  }

  #standAlone(uri: string): PlaceInProject {
    const absolute = pathOfUri(uri);
    const [root, file] =
      absolute === null ? [UNTITLED, 'untitled.py'] : [path.dirname(absolute), path.basename(absolute)];
    return { session: this.#begin({ root, only: file }), file };
  }
}

/** Where a document belongs while these projects are known; null for what no file nor a new one is. */
function homeOf(uri: string, roots: ReadonlySet<string>): Home {
  if (/^untitled:/i.test(uri)) return 'alone';
  const absolute = pathOfUri(uri);
  if (absolute === null) return null;
  const inside = [...roots].filter((root) => relativeTo(root, absolute) !== null);
  const innermost = inside.sort((a, b) => b.length - a.length)[0];
  const root = innermost ?? nearestRoot(path.dirname(absolute), homedir(), toolkitHome());
  return root === null ? 'alone' : { root };
}

function rootOf(folder: string): string {
  return nearestRoot(folder, homedir(), toolkitHome()) ?? folder;
}

function toolkitHome(): string {
  return process.env.TOOLKIT_HOME ?? path.join(homedir(), '.toolkit');
}
