/** The messages of `contract/editorMessages`: the endpoint tree, what is deployed, and what the server has done. */
import type { Connection } from 'vscode-languageserver';
import {
  type DeployedParams,
  EDITOR_MESSAGES,
  type ServerStatistics,
} from '../runtime/contract/editorMessages.ts';
import type { ServerState } from './ServerState.ts';

export function acceptEditorMessages(connection: Connection, state: ServerState): void {
  connection.onNotification(EDITOR_MESSAGES.deployed, ({ projects }: DeployedParams) => {
    state.deployed = projects;
  });

  connection.onRequest(EDITOR_MESSAGES.statistics, async (): Promise<ServerStatistics> => {
    await state.workspace.settled();
    const projects = state.workspace.sessions.map(({ project }) => project);
    const sum = (count: (project: (typeof projects)[number]) => number) =>
      projects.reduce((total, project) => total + count(project), 0);
    return {
      filesRead: sum(({ reads }) => reads),
      recomputations: sum(({ recomputations }) => recomputations),
      treesSent: 0,
      diagnosticsSent: state.diagnostics.sent,
      trees: sum(({ trees }) => trees),
    };
  });
}
