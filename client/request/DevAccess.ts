/** What the request panels need to know of dev servers. */
import * as vscode from 'vscode';
import type { DevAddress } from '../dev/DevServer.ts';
import type { DevServers } from '../dev/DevServers.ts';
import type { DevCommands, FindOptions } from '../dev/devCommands.ts';

export interface DevAccess {
  /**
   * The dev server of a project.
   *
   * @param root - URI of the project's root.
   * @returns Null where none runs, or the user declined.
   */
  find(root: string, options: FindOptions): Promise<DevAddress | null>;
  /** The dev server of a root has come or gone: its URI. */
  onDidChange(listener: (root: string) => void): vscode.Disposable;
}

export function devAccess(commands: DevCommands, servers: DevServers): DevAccess {
  return {
    find: (root, options) => commands.find(vscode.Uri.parse(root).fsPath, options),
    onDidChange: (listener) => servers.onDidChange(({ root }) => listener(vscode.Uri.file(root).toString())),
  };
}
