/**
 * Messages between the language server and an editor in addition to the Language Server Protocol. Positions
 * are those of the protocol: 0-based lines and UTF-16 columns. URIs are spelled as the editor spells them.
 */
import type { DiagnosticCode, Range, Severity } from './diagnostic.ts';
import type { DeployedEndpoint, Endpoint, EndpointKind, RouteMethod } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import type { Json } from './inputSchema.ts';

/** Names of the messages. */
export const EDITOR_MESSAGES = {
  /**
   * Server → editor, notification with an `EndpointTree`: whenever the tree has changed, except for ranges.
   */
  endpointTree: 'toolkit/endpointTree',
  /** Server → editor, notification with a `ServerStatus`: whenever the status has changed. */
  status: 'toolkit/status',
  /** Editor → server, request with `LocateParams`: the current location of a node, as a `NodeLocation` or null. */
  locate: 'toolkit/locate',
  /** Editor → server, request with `NodesInParams`: the nodes in a document, as `NodesIn` or null. */
  nodesIn: 'toolkit/nodesIn',
  /** Editor → server, request with `LocateParams`: an `InputSchema`; null if the node takes no input. */
  inputSchema: 'toolkit/inputSchema',
  /** Editor → server, notification with `DeployedParams`: what is deployed where. */
  deployed: 'toolkit/deployed',
  /** Editor → server, request without parameters: a `ServerStatistics`, once all pending work is done. */
  statistics: 'toolkit/statistics',
} as const;

/** Editor commands that lenses run. A client lists those it has in its initialization options. */
export const EDITOR_COMMANDS = {
  run: 'toolkit.run',
  deploy: 'toolkit.deploy',
  logs: 'toolkit.logs',
  openUrl: 'toolkit.openUrl',
  copyAsCurl: 'toolkit.copyAsCurl',
} as const;

export type EditorCommand = (typeof EDITOR_COMMANDS)[keyof typeof EDITOR_COMMANDS];

/**
 * What a lens does; `where` shows where an endpoint runs. `data.kind` of each lens has this value until the
 * lens is resolved.
 */
export type LensKind = 'run' | 'deploy' | 'logs' | 'open-local' | 'open-deployed' | 'curl' | 'where';

/** `initializationOptions` of a client. */
export interface ServerOptions {
  /** The commands of `EDITOR_COMMANDS` that the client has. Lenses use no others. */
  commands?: readonly string[];
  /** Whether the client shows the endpoint tree. Otherwise it is not sent. */
  endpointTree?: boolean;
  /** Whether the client shows the server's status. Otherwise it is not sent. */
  status?: boolean;
  /** The interpreter whose packages are used in projects whose settings name none. */
  python?: string;
}

/**
 * The section `toolkit` of the client's settings. If the client supports `workspace/configuration`, the
 * server requests it with each project's root as the scope. Otherwise the client sends it with
 * `workspace/didChangeConfiguration`.
 */
export interface EditorSettings {
  /** The interpreter whose packages are used. If absent or null: the one of the initialization options. */
  python?: string | null;
  /** Settings that differ in a project, by the URI of its root. */
  projects?: Record<string, { python?: string | null }>;
}

/** The argument of every lens command. */
export interface LensTarget {
  /** URI of the project's root. */
  root: string;
  /** Id of the endpoint or route in the tree. */
  node: string;
  /** URI of the document that the lens is in. */
  uri: string;
  /** Null if the name is known only at run time. */
  endpoint: string | null;
  /** For a route, its method and path; null for a queue-based function or a whole instance. */
  route: { method: RouteMethod; path: string } | null;
  /**
   * The address for the command: that of the dev server while it runs, else the deployed one; null if there
   * is neither.
   */
  url: string | null;
  /** An example of its input; null if it takes none. */
  input: Record<string, Json> | null;
}

export interface NodeLocation {
  uri: string;
  /** The whole node. */
  range: Range;
  /** The part that an editor selects. */
  selectionRange: Range;
}

/** One finding of an endpoint. `code` is an error code if pyproject.toml cannot be read. */
export interface EndpointProblem {
  code: DiagnosticCode | ErrorCode;
  severity: Severity;
  message: string;
  uri: string;
  range: Range;
}

export interface RouteNode extends NodeLocation {
  id: string;
  method: RouteMethod;
  path: string;
  function: string;
  description: string | null;
}

export interface FunctionNode extends NodeLocation {
  id: string;
  name: string;
  /** The class whose only public method this is; null for a plain function. */
  class: string | null;
  async: boolean;
  description: string | null;
}

/** One declaration. Its ranges are those at the tree's revision. */
export interface EndpointNode extends NodeLocation {
  /** Unchanged as long as the declaration keeps its file and its name. */
  id: string;
  name: string | null;
  kind: EndpointKind;
  /** Effective values, with defaults filled in. */
  endpoint: Endpoint;
  functions: FunctionNode[];
  routes: RouteNode[];
  problems: EndpointProblem[];
  /** Maximum number of workers that count toward the quota. */
  quotaShare: number;
  deployed: DeployedEndpoint | null;
}

/** One project: a root and its app. */
export interface ProjectNode {
  /** URI of the project's root, or of the file if it belongs to no project. */
  id: string;
  /** URI of the project's root. */
  root: string;
  /** URI of the workspace folder that contains it; null if no folder does. */
  folder: string | null;
  app: string;
  quota: { used: number; limit: number };
  /** Sorted by file, then by position. */
  endpoints: EndpointNode[];
  /** Findings that belong to no endpoint. */
  problems: EndpointProblem[];
}

/** A new or changed project. */
export interface ProjectChange extends Omit<ProjectNode, 'endpoints'> {
  /** New and changed endpoints. The client keeps the others as they were sent before. */
  endpoints: EndpointNode[];
  /** Ids of all its endpoints, sorted by file, then by position; null if the list has not changed. */
  order: string[] | null;
}

/** What has changed in the tree since the last notification. */
export interface EndpointTree {
  /** Increases with every notification. */
  revision: number;
  projects: ProjectChange[];
  /** Ids of projects that no longer exist. */
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

/** Nodes of one document. Each endpoint comes before its functions and routes. */
export interface NodesIn {
  /** URI of the project's root. */
  root: string;
  nodes: (Omit<NodeLocation, 'uri'> & { id: string })[];
}

/** The server's status. */
export interface ServerStatus {
  /**
   * `warning`: something could not be read or has failed, and the rest works. `error`: the server is about to
   * end.
   */
  health: 'ok' | 'warning' | 'error';
  /** Whether a project is being read for the first time. */
  activity: 'quiet' | 'indexing';
  /** Why the health is not ok; null when it is. */
  message: string | null;
}

/** What the editor knows about a project's deployments and its dev server. */
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
  /** How often the index of a project was recomputed. */
  recomputations: number;
  /** Notifications sent: of the endpoint tree, and of diagnostics. */
  treesSent: number;
  diagnosticsSent: number;
}
