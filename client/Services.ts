/** The services that commands use. */
import type * as vscode from 'vscode';
import type { Keys } from './account/Keys.ts';
import type { Core } from './core/Core.ts';
import type { Deployments } from './deployed/Deployments.ts';
import type { Environments } from './deployed/Environments.ts';
import type { ShowError } from './messages/showError.ts';
import type { ProjectTree } from './projects/ProjectTree.ts';

export interface Services {
  core: Core;
  projects: ProjectTree;
  environments: Environments;
  deployments: Deployments;
  /** Root URIs of the projects being deployed. */
  deploying: Set<string>;
  keys: Keys;
  /** Receives all messages in full. */
  log: vscode.LogOutputChannel;
  showError: ShowError;
}
