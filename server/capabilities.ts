/** What the server says that it can do. */
import { type ServerCapabilities, TextDocumentSyncKind } from 'vscode-languageserver';
import { EDITING_CAPABILITIES } from './answerEditing.ts';
import { NAVIGATION_CAPABILITIES } from './answerNavigation.ts';

export const CAPABILITIES: ServerCapabilities = {
  positionEncoding: 'utf-16',
  textDocumentSync: {
    openClose: true,
    change: TextDocumentSyncKind.Incremental,
    save: { includeText: false },
  },
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  ...EDITING_CAPABILITIES,
  ...NAVIGATION_CAPABILITIES,
};
