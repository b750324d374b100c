/** The part of the dev server API that request panels use. */
import * as vscode from 'vscode';
import type { DevAddress } from '../dev/DevServer.ts';
import type { DevServers } from '../dev/DevServers.ts';
import type { DevCommands, FindOptions } from '../dev/devCommands.ts';

export interface DevAccess {
  /**
   * The dev server of a project.
   *
   * @param root - URI of the project's root.
   * @returns Null if none runs or the user declined.
   */
  find(root: string, options: FindOptions): Promise<DevAddress | null>;
  /** Fires with the URI of a root whose dev server has started or ended. */
  onDidChange(listener: (root: string) => void): vscode.Disposable;
}

export function devAccess(commands: DevCommands, servers: DevServers): DevAccess {
  return {
    find: (root, options) => commands.find(vscode.Uri.parse(root).fsPath, options),
    onDidChange: (listener) => servers.onDidChange(({ root }) => listener(vscode.Uri.file(root).toString())),
  };
}
