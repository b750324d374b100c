/** Handles the messages of `contract/editorMessages`: the endpoint tree and its nodes, deployments, and statistics. */
import { type CancellationToken, CodeLensRefreshRequest, type Connection } from 'vscode-languageserver';
import {
  type DeployedParams,
  EDITOR_MESSAGES,
  type LocateParams,
  type NodesIn,
  type NodesInParams,
  type ServerStatistics,
} from '../runtime/contract/editorMessages.ts';
import type { ProjectView } from '../runtime/source/snapshot/ProjectView.ts';
import type { Steps } from '../runtime/source/steps.ts';
import { Answers } from './Answers.ts';
import { locate, nodesIn, projectNode } from './features/endpointTree.ts';
import { inputSchemaOf } from './features/inputSchema.ts';
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
    await session.work(() => publishTree(state, session, trees));
  };
  state.onSettled.push(updateTree);
  state.moved.event(() => trees.keep(new Set(state.workspace.sessions.map(({ id }) => id))));

  connection.onNotification(EDITOR_MESSAGES.deployed, async ({ projects }: DeployedParams) => {
    state.deployed = projects;
    for (const session of state.workspace.sessions) await updateTree(session);
    if (state.capabilities.workspace?.codeLens?.refreshSupport)
      state.ask(connection.sendRequest(CodeLensRefreshRequest.type));
  });

  const answers = new Answers(state);
  /** Looks for a node in the projects with the requested root, until one has it. */
  const ofNode =
    <Result>(find: (project: ProjectView, id: string, session: ProjectSession) => Result) =>
    ({ root, id }: LocateParams, token: CancellationToken) =>
      answers.contained(root, token, null, async () => {
        for (const session of state.workspace.sessions) {
          if (session.project.root !== pathOfUri(root)) continue;
          await session.ready;
          const found = await find(session.project.view(), id, session);
          if (found) return found;
        }
        return null;
      });
  connection.onRequest(
    EDITOR_MESSAGES.locate,
    ofNode((project, id, session) => locate(project, id, (file) => session.uriOf(file))),
  );
  connection.onRequest(EDITOR_MESSAGES.inputSchema, ofNode(inputSchemaOf));
  connection.onRequest(EDITOR_MESSAGES.nodesIn, ({ uri }: NodesInParams, token: CancellationToken) =>
    answers.about<NodesIn | null>(uri, token, null, ({ project, document: { file } }) => ({
      root: uriOfPath(project.root),
      nodes: nodesIn(project, file),
    })),
  );

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
    };
  });
}

function* publishTree(state: ServerState, session: ProjectSession, trees: TreePublisher): Steps {
  const { project, id } = session;
  const node = yield* projectNode(project.view(), {
    findings: project.findings,
    configFault: project.configFault,
    id,
    root: uriOfPath(project.root),
    folder: state.workspace.folderOf(project.root),
    uriOf: (file) => session.uriOf(file),
    deployed: state.clientOf(project.root).deployed,
  });
  yield* trees.update(node);
}
