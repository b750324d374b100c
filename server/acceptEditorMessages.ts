/** The messages of `contract/editorMessages`: the endpoint tree, what is deployed, and what the server has done. */
import { CodeLensRefreshRequest, type Connection } from 'vscode-languageserver';
import {
  type DeployedParams,
  EDITOR_MESSAGES,
  type LocateParams,
  type Place,
  type ProjectNode,
  type ServerStatistics,
} from '../runtime/contract/editorMessages.ts';
import type { Steps } from '../runtime/source/steps.ts';
import { locate, projectNode } from './features/endpointTree.ts';
import { TreePublisher } from './publish/TreePublisher.ts';
import type { ServerState } from './ServerState.ts';
import type { ProjectSession } from './workspace/ProjectSession.ts';
import { pathOfUri, uriOfPath } from './workspace/uris.ts';

export function acceptEditorMessages(connection: Connection, state: ServerState): void {
  const trees = new TreePublisher(
    (tree) => void connection.sendNotification(EDITOR_MESSAGES.endpointTree, tree),
  );

  const updateTree = async (session: ProjectSession): Promise<void> => {
    if (!state.options.endpointTree) return;
    await session.work(() => nodeOf(state, session, (node) => trees.update(session, node)));
  };
  state.onSettled(updateTree);
  state.onMoved(() => trees.keep(new Set(state.workspace.sessions)));

  connection.onNotification(EDITOR_MESSAGES.deployed, async ({ projects }: DeployedParams) => {
    state.deployed = projects;
    for (const session of state.workspace.sessions) await updateTree(session);
    if (state.capabilities.workspace?.codeLens?.refreshSupport)
      state.ask(connection.sendRequest(CodeLensRefreshRequest.type));
  });

  connection.onRequest(EDITOR_MESSAGES.locate, async ({ root, id }: LocateParams): Promise<Place | null> => {
    for (const session of state.workspace.sessions) {
      if (session.project.root !== pathOfUri(root)) continue;
      await session.ready;
      const place = locate(session.project.view(), id, (file) => session.uriOf(file));
      if (place) return place;
    }
    return null;
  });

  connection.onRequest(EDITOR_MESSAGES.statistics, async (): Promise<ServerStatistics> => {
    await state.workspace.settled();
    const projects = state.workspace.sessions.map(({ project }) => project);
    const sum = (count: (project: (typeof projects)[number]) => number) =>
      projects.reduce((total, project) => total + count(project), 0);
    return {
      filesRead: sum(({ reads }) => reads),
      recomputations: sum(({ recomputations }) => recomputations),
      treesSent: trees.sent,
      diagnosticsSent: state.diagnostics.sent,
      trees: sum(({ trees: kept }) => kept),
    };
  });
}

function* nodeOf(state: ServerState, session: ProjectSession, done: (node: ProjectNode) => void): Steps {
  const { project } = session;
  done(
    yield* projectNode(project.view(), {
      diagnostics: project.diagnostics(),
      root: uriOfPath(project.root),
      folder: state.workspace.folderOf(project.root),
      uriOf: (file) => session.uriOf(file),
      deployed: state.clientOf(project.root).deployed,
    }),
  );
}
