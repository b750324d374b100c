/**
 * What the language server and an editor say to each other beyond the Language Server Protocol. Positions are those
 * of the protocol: 0-based lines and UTF-16 columns. `Uri` texts are as the editor writes them.
 */
import type { DiagnosticCode, Range, Severity } from './diagnostic.ts';
import type { DeployedEndpoint, Endpoint, EndpointKind, RouteMethod } from './endpoint.ts';

/** Names of the messages. */
export const EDITOR_MESSAGES = {
  /** Server → editor, notification with an `EndpointTree`: whenever something in it but a range has changed. */
  endpointTree: 'toolkit/endpointTree',
  /** Editor → server, request with `LocateParams`: where a node stands now, as a `Place` or null. */
  locate: 'toolkit/locate',
  /** Editor → server, notification with `DeployedParams`: what runs where. */
  deployed: 'toolkit/deployed',
  /** Editor → server, request without parameters: a `ServerStatistics`, when all that was told has been taken in. */
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

/** `initializationOptions` of a client. */
export interface ServerOptions {
  /** The commands of `EDITOR_COMMANDS` that the client has; lenses start no other. */
  commands?: readonly string[];
  /** Whether the client draws the endpoint tree; only then is it sent. */
  endpointTree?: boolean;
  /** The interpreter whose packages count, as the editor's Python support names it. */
  python?: string;
}

/** Argument of every command of a lens. */
export interface LensTarget {
  /** URI of the project's root. */
  root: string;
  endpoint: string;
  /** For a route, its method and path; null for a queue-based function or a whole instance. */
  route: { method: RouteMethod; path: string } | null;
}

export interface Place {
  uri: string;
  /** All that belongs to the node. */
  range: Range;
  /** What an editor selects in it. */
  selectionRange: Range;
}

/** One finding of an endpoint. */
export interface EndpointProblem {
  code: DiagnosticCode;
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

/** All projects of the workspace, in order of root. */
export interface EndpointTree {
  /** Grows with every notification. */
  revision: number;
  projects: ProjectNode[];
}

export interface LocateParams {
  root: string;
  /** The id of an endpoint, a function or a route. */
  id: string;
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
  /** Open syntax trees. */
  trees: number;
}
