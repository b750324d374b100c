/** What a feature is given: the project at the moment of the request, and the document that is asked about. */
import type { ClientCapabilities } from 'vscode-languageserver';
import type { DeployedEndpoint } from '../../runtime/contract/endpoint.ts';
import type { FileFacts } from '../../runtime/source/binder/FileFacts.ts';
import type { ProjectView } from '../../runtime/source/snapshot/ProjectView.ts';

/** What the client can do and has reported; see `ServerOptions` and `DeployedParams`. */
export interface ClientState {
  capabilities: ClientCapabilities;
  /** Commands of the client that lenses may start. */
  commands: ReadonlySet<string>;
  /** What is deployed, by endpoint name; empty until the client has reported it. */
  deployed: Readonly<Record<string, DeployedEndpoint>>;
  environment: string | null;
  /** Address of the dev server while it runs, without a slash at its end. */
  dev: string | null;
}

/** A request about a document, which may be pyproject.toml. */
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
  /** The version of an open file's text; null for one that is not open. */
  versionOf(file: string): number | null;
  /** Aborted when the client cancels the request. */
  signal: AbortSignal;
}

/** A request about a Python document, with its open text, else the one on disk. */
export interface PythonContext extends DocumentContext {
  document: DocumentContext['document'] & { text: string; facts: FileFacts };
}
