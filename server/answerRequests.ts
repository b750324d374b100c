/** Requests of the Language Server Protocol → the features that answer them. */
import type { Connection } from 'vscode-languageserver';
import type { ServerState } from './ServerState.ts';

export function answerRequests(_connection: Connection, _state: ServerState): void {}
