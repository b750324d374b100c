/** Edits by file → a workspace edit in the form that the client supports. */
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import type { DocumentContext } from './feature.ts';

/** Includes the versions that the edits are for, if the client supports that. */
export function workspaceEdit(
  { client, uriOf, versionOf }: DocumentContext,
  byFile: Iterable<[file: string, edits: readonly TextEdit[]]>,
): WorkspaceEdit {
  const files = [...byFile].map(([file, edits]) => ({ file, uri: uriOf(file), edits: [...edits] }));
  if (!client.capabilities.workspace?.workspaceEdit?.documentChanges)
    return { changes: Object.fromEntries(files.map(({ uri, edits }) => [uri, edits])) };
  return {
    documentChanges: files.map(({ file, uri, edits }) => {
      return { textDocument: { uri, version: versionOf(file) }, edits };
    }),
  };
}
