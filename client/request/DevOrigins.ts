/** What the request panels need to know of dev servers. */
import * as vscode from 'vscode';
import type { DevServers } from '../dev/DevServers.ts';
import type { DevCommands, OriginOptions } from '../dev/devCommands.ts';

export interface DevOrigins {
  /**
   * The address of the dev server of a project, without a path, as in `http://localhost:8888`.
   *
   * @param root - URI of the project's root.
   * @returns Null where none runs, or the user declined.
   */
  origin(root: string, options: OriginOptions): Promise<string | null>;
  /** The dev server of a root has come or gone: its URI. */
  onDidChange(listener: (root: string) => void): vscode.Disposable;
}

export function devOrigins(commands: DevCommands, servers: DevServers): DevOrigins {
  return {
    origin: (root, options) => commands.origin(vscode.Uri.parse(root).fsPath, options),
    onDidChange: (listener) => servers.onDidChange(({ root }) => listener(vscode.Uri.file(root).toString())),
  };
}
