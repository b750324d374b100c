/**
 * What the language server and an editor say to each other beyond the Language Server Protocol. Positions are those
 * of the protocol: 0-based lines and UTF-16 columns. `Uri` texts are as the editor writes them.
 */
import type { DiagnosticCode, Range, Severity } from './diagnostic.ts';
import type { DeployedEndpoint, Endpoint, EndpointKind, RouteMethod } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import type { Json } from './inputSchema.ts';

/** Names of the messages. */
export const EDITOR_MESSAGES = {
  /** Server → editor, notification with an `EndpointTree`: whenever something in it but a range has changed. */
  endpointTree: 'toolkit/endpointTree',
  /** Server → editor, notification with a `ServerStatus`: whenever it has changed. */
  status: 'toolkit/status',
  /** Editor → server, request with `LocateParams`: the current place of a node, as a `Place` or null. */
  locate: 'toolkit/locate',
  /** Editor → server, request with `NodesInParams`: the nodes in a document, as `NodesIn` or null. */
  nodesIn: 'toolkit/nodesIn',
  /** Editor → server, request with `LocateParams`: an `InputSchema`; null for what takes no input. */
  inputSchema: 'toolkit/inputSchema',
  /** Editor → server, notification with `DeployedParams`: what runs where. */
  deployed: 'toolkit/deployed',
  /** Editor → server, request without parameters: a `ServerStatistics`, once all pending work is done. */
  statistics: 'toolkit/statistics',
} as const;

/** Commands of the editor that lenses start; a client that has them names them in its initialization options. */
export const EDITOR_COMMANDS = {
  run: 'toolkit.run',
  deploy: 'toolkit.deploy',
  logs: 'toolkit.logs',
  openUrl: 'toolkit.openUrl',
  copyAsCurl: 'toolkit.copyAsCurl',
} as const;

export type EditorCommand = (typeof EDITOR_COMMANDS)[keyof typeof EDITOR_COMMANDS];

/** What a lens does; `where` says where an endpoint runs. Each lens has it as `data.kind` until it is resolved. */
export type LensKind = 'run' | 'deploy' | 'logs' | 'open-local' | 'open-deployed' | 'curl' | 'where';

/** `initializationOptions` of a client. */
export interface ServerOptions {
  /** The commands of `EDITOR_COMMANDS` that the client has; lenses start no other. */
  commands?: readonly string[];
  /** Whether the client draws the endpoint tree; only then is it sent. */
  endpointTree?: boolean;
  /** Whether the client shows the server's status; only then is it sent. */
  status?: boolean;
  /** The interpreter whose packages count in projects for which the settings name none. */
  python?: string;
}

/**
 * The section `toolkit` of the client's settings. A client that answers `workspace/configuration` is asked for it with
 * each project's root as the scope; any other sends it with `workspace/didChangeConfiguration`.
 */
export interface EditorSettings {
  /** The interpreter whose packages count; the one of the initialization options when absent or null. */
  python?: string | null;
  /** By URI of a project's root, what differs there. */
  projects?: Record<string, { python?: string | null }>;
}

/** The one argument of every command of a lens. */
export interface LensTarget {
  /** URI of the project's root. */
  root: string;
  /** Id of the endpoint or route in the tree. */
  node: string;
  /** URI of the document that the lens is in. */
  uri: string;
  /** Null where only running the code could tell the name. */
  endpoint: string | null;
  /** For a route, its method and path; null for a queue-based function or a whole instance. */
  route: { method: RouteMethod; path: string } | null;
  /** The address that the command is about: the dev server's while it runs, else the deployed one; null for neither. */
  url: string | null;
  /** An example of its input; null for what takes none. */
  input: Record<string, Json> | null;
}

export interface Place {
  uri: string;
  /** All that belongs to the node. */
  range: Range;
  /** What an editor selects in it. */
  selectionRange: Range;
}

/** One finding of an endpoint; the code is that of an error where pyproject.toml cannot be understood. */
export interface EndpointProblem {
  code: DiagnosticCode | ErrorCode;
  severity: Severity;
  message: string;
  uri: string;
  range: Range;
}

export interface RouteNode extends Place {
  id: string;
  method: RouteMethod;
  path: string;
  function: string;
  description: string | null;
}

export interface FunctionNode extends Place {
  id: string;
  name: string;
  /** The class whose one public method this is; null for a plain function. */
  class: string | null;
  async: boolean;
  description: string | null;
}

/** One declaration. Ranges are those of the tree's revision. */
export interface EndpointNode extends Place {
  /** Stays while the declaration keeps its file and its name. */
  id: string;
  name: string | null;
  kind: EndpointKind;
  /** Effective values: what is not given has its default. */
  endpoint: Endpoint;
  functions: FunctionNode[];
  routes: RouteNode[];
  problems: EndpointProblem[];
  /** Maximum workers that count towards the quota. */
  quotaShare: number;
  deployed: DeployedEndpoint | null;
}

/** One project: a root and its app. */
export interface ProjectNode {
  /** URI of the project's root, or of the file for one that belongs to no project. */
  id: string;
  /** URI of the project's root. */
  root: string;
  /** URI of the workspace folder that it belongs to; null for a file outside of every folder. */
  folder: string | null;
  app: string;
  quota: { used: number; limit: number };
  /** In order of file, then place. */
  endpoints: EndpointNode[];
  /** Findings that belong to no endpoint. */
  problems: EndpointProblem[];
}

/** A new or changed project. */
export interface ProjectChange extends Omit<ProjectNode, 'endpoints'> {
  /** Its new and changed endpoints; of the others the client has what was sent before. */
  endpoints: EndpointNode[];
  /** Ids of all its endpoints, in order of file, then place; null while they are those of before. */
  order: string[] | null;
}

/** What has changed in the tree since the last notification. */
export interface EndpointTree {
  /** Grows with every notification. */
  revision: number;
  projects: ProjectChange[];
  /** Ids of projects that are gone. */
  removed: string[];
}

export interface LocateParams {
  root: string;
  /** The id of an endpoint, a function or a route. */
  id: string;
}

export interface NodesInParams {
  uri: string;
}

/** Nodes of one document, an endpoint before its functions and routes. */
export interface NodesIn {
  /** URI of the project's root. */
  root: string;
  nodes: (Omit<Place, 'uri'> & { id: string })[];
}

/** How the server is. */
export interface ServerStatus {
  /** `warning`: something cannot be understood or has failed, and the rest works. `error`: the server ends. */
  health: 'ok' | 'warning' | 'error';
  /** Whether a project is being read for the first time. */
  activity: 'quiet' | 'indexing';
  /** Why the health is not ok; null when it is. */
  message: string | null;
}

/** What the editor knows of a project's deployments and its dev server. */
export interface DeployedParams {
  projects: {
    root: string;
    environment: string;
    /** By endpoint name. */
    endpoints: Record<string, DeployedEndpoint>;
    /** Address of the dev server while it runs. */
    dev: string | null;
  }[];
}

/** Counted since the server's start. */
export interface ServerStatistics {
  /** Python files read from disk. */
  filesRead: number;
  /** Times that a project's index was made anew. */
  recomputations: number;
  /** Notifications of the endpoint tree, and of diagnostics. */
  treesSent: number;
  diagnosticsSent: number;
}
