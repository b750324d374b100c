/** What the server can do for a client, given what the client can show. */
import {
  type ClientCapabilities,
  type ServerCapabilities,
  TextDocumentSyncKind,
} from 'vscode-languageserver';

export function capabilitiesFor(_client: ClientCapabilities): ServerCapabilities {
  return {
    positionEncoding: 'utf-16',
    textDocumentSync: {
      openClose: true,
      change: TextDocumentSyncKind.Incremental,
      save: { includeText: false },
    },
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  };
}
