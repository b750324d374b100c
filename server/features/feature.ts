/** The input of a feature: the project at the time of the request, and the document that it is about. */
import type { ClientCapabilities } from 'vscode-languageserver';
import type { DeployedEndpoint } from '../../runtime/contract/endpoint.ts';
import type { FileFacts } from '../../runtime/source/binder/FileFacts.ts';
import type { ProjectView } from '../../runtime/source/snapshot/ProjectView.ts';

/** The client's capabilities and what it has reported; see `ServerOptions` and `DeployedParams`. */
export interface ClientState {
  capabilities: ClientCapabilities;
  /** Commands of the client that lenses can run. */
  commands: ReadonlySet<string>;
  /** Deployed endpoints by name; empty until the client has reported them. */
  deployed: Readonly<Record<string, DeployedEndpoint>>;
  environment: string | null;
  /** Address of the running dev server, without a trailing slash; null if it does not run. */
  dev: string | null;
}

/** The context of a request about a document, which can be pyproject.toml. */
export interface DocumentContext {
  project: ProjectView;
  document: {
    uri: string;
    /** Relative to the project's root, with `/`. */
    file: string;
  };
  client: ClientState;
  /** The URI of one of the project's files. */
  uriOf(file: string): string;
  /** The version of an open file's text; null if it is not open. */
  versionOf(file: string): number | null;
  /** Aborted when the client cancels the request. */
  signal: AbortSignal;
}

/** The context of a request about a Python document, with its open text or else the one on disk. */
export interface PythonContext extends DocumentContext {
  document: DocumentContext['document'] & { text: string; facts: FileFacts };
}
