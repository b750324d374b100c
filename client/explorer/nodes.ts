/** The entries of the explorer: folders if there are several, projects with their environment, endpoints, routes. */
import type { RemoteEndpoint } from '../../runtime/contract/deployment.ts';
import type { EndpointNode, ProjectNode, RouteNode } from '../../runtime/contract/editorMessages.ts';
import type { Deployment } from '../deployed/Deployments.ts';
import { type EndpointState, stateOf } from './endpointState.ts';

export interface FolderEntry {
  type: 'folder';
  /** URI of a workspace folder. */
  folder: string;
}

export interface ProjectEntry {
  type: 'project';
  root: string;
  /** Undefined if there is only one folder. */
  parent: FolderEntry | undefined;
  project: ProjectNode;
  deployment: Deployment;
}

/** A declared endpoint; `remote` is its deployed counterpart. */
export interface EndpointEntry {
  type: 'endpoint';
  root: string;
  parent: ProjectEntry;
  endpoint: EndpointNode;
  remote: RemoteEndpoint | undefined;
  state: EndpointState;
}

/** A deployed endpoint without a declaration. */
export interface UndeclaredEntry {
  type: 'undeclared';
  root: string;
  parent: ProjectEntry;
  remote: RemoteEndpoint;
}

export interface RouteEntry {
  type: 'route';
  root: string;
  parent: EndpointEntry;
  route: RouteNode;
}

export type Entry = FolderEntry | ProjectEntry | EndpointEntry | UndeclaredEntry | RouteEntry;

/** Which endpoints to show. */
export type Filter = 'all' | 'problems' | 'changed' | 'deployed' | 'declared';

/** Everything that the tree is built from. */
export interface Shown {
  projects: readonly ProjectNode[];
  deploymentOf(root: string): Deployment;
  filter: Filter;
}

export function childrenOf(shown: Shown, parent: Entry | undefined): Entry[] {
  if (!parent) return topOf(shown);
  switch (parent.type) {
    case 'folder':
      return projectsIn(shown).filter((entry) => entry.parent?.folder === parent.folder);
    case 'project':
      return endpointsOf(shown.filter, parent);
    case 'endpoint':
      return parent.endpoint.routes.map((route) => ({ type: 'route', root: parent.root, parent, route }));
    case 'undeclared':
    case 'route':
      return [];
  }
}

/** Folders, if there are several, and projects outside them. */
function topOf(shown: Shown): Entry[] {
  const projects = projectsIn(shown);
  const folders = new Map(projects.flatMap(({ parent }) => (parent ? [[parent.folder, parent]] : [])));
  return [...folders.values(), ...projects.filter(({ parent }) => parent === undefined)];
}

export function parentOf(entry: Entry): Entry | undefined {
  return entry.type === 'folder' ? undefined : entry.parent;
}

/**
 * Stable while the declaration keeps its file and name, so that expanded entries stay expanded. Includes the parent's
 * id, because VS Code rejects an id that it still knows from another place in the tree.
 */
export function idOf(entry: Entry): string {
  switch (entry.type) {
    case 'folder':
      return `folder ${entry.folder}`;
    case 'project':
      return entry.parent ? `${idOf(entry.parent)}#${entry.project.id}` : entry.project.id;
    case 'endpoint':
      return `${idOf(entry.parent)}#${entry.endpoint.id}`;
    case 'undeclared':
      return `${idOf(entry.parent)}#undeclared ${entry.remote.name}`;
    case 'route':
      return `${idOf(entry.parent)}#${entry.route.id}`;
  }
}

/** The entry of a node of the language server; undefined if the filter excludes it. */
export function findEntry(shown: Shown, root: string, node: string): EndpointEntry | RouteEntry | undefined {
  for (const project of projectsIn(shown).filter((one) => one.root === root)) {
    for (const entry of endpointsOf(shown.filter, project)) {
      if (entry.type !== 'endpoint') continue;
      const { endpoint } = entry;
      if (endpoint.id === node || endpoint.functions.some(({ id }) => id === node)) return entry;
      const route = endpoint.routes.find(({ id }) => id === node);
      if (route) return { type: 'route', root, parent: entry, route };
    }
  }
  return undefined;
}

function projectsIn({ projects, deploymentOf }: Shown): ProjectEntry[] {
  const shown = projects.filter(
    ({ root, endpoints }) => endpoints.length > 0 || (deploymentOf(root).deployed?.endpoints.length ?? 0) > 0,
  );
  const isGrouped = new Set(shown.map(({ folder }) => folder)).size > 1;
  return shown.map((project) => {
    const { root, folder } = project;
    const parent = isGrouped && folder !== null ? ({ type: 'folder', folder } as const) : undefined;
    return { type: 'project', root, parent, project, deployment: deploymentOf(root) };
  });
}

function endpointsOf(filter: Filter, parent: ProjectEntry): (EndpointEntry | UndeclaredEntry)[] {
  const { root, project, deployment } = parent;
  const remotes = new Map((deployment.deployed?.endpoints ?? []).map((remote) => [remote.name, remote]));
  const declared = project.endpoints.map((endpoint): EndpointEntry => {
    const remote = endpoint.name === null ? undefined : remotes.get(endpoint.name);
    const state = stateOf(endpoint, remote, deployment);
    return { type: 'endpoint', root, parent, endpoint, remote, state };
  });
  const names = new Set(project.endpoints.map(({ name }) => name));
  const undeclared = [...remotes.values()]
    .filter(({ name }) => !names.has(name))
    .map((remote): UndeclaredEntry => ({ type: 'undeclared', root, parent, remote }));
  return [...declared, ...undeclared].filter((entry) => passes(entry, filter));
}

function passes(entry: EndpointEntry | UndeclaredEntry, filter: Filter): boolean {
  const state = entry.type === 'endpoint' ? entry.state : 'undeclared';
  switch (filter) {
    case 'all':
      return true;
    case 'problems':
      return state === 'failing' || (entry.type === 'endpoint' && entry.endpoint.problems.length > 0);
    case 'changed':
      return state === 'changed' || state === 'undeclared' || state === 'declared' || state === 'unknown';
    case 'deployed':
      return entry.remote !== undefined;
    case 'declared':
      return state === 'declared' || state === 'unknown';
  }
}
