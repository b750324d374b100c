/** Notifies the client of the server's health whenever it changes. */
import type { Connection } from 'vscode-languageserver';
import { EDITOR_MESSAGES, type ServerStatus } from '../../runtime/contract/editorMessages.ts';
import type { ServerState } from '../ServerState.ts';
import type { ProjectSession } from '../workspace/ProjectSession.ts';

export function publishStatus(connection: Connection, state: ServerState): void {
  const read = new WeakSet<ProjectSession>();
  let sent = '';
  const update = (isFatal = false): void => {
    if (!state.options.status) return;
    const { sessions } = state.workspace;
    const faults = [
      ...sessions.flatMap(({ project }) => project.configFault?.message ?? []),
      ...[...state.faults].map((place) => `The toolkit failed on ${place}.`),
    ];
    const failing = isFatal ? 'error' : 'warning';
    const status: ServerStatus = {
      health: faults.length > 0 ? failing : 'ok',
      activity: sessions.every((session) => read.has(session)) ? 'quiet' : 'indexing',
      message: faults.join('\n') || null,
    };
    const text = JSON.stringify(status);
    if (text === sent) return;
    sent = text;
    void connection.sendNotification(EDITOR_MESSAGES.status, status);
  };
  state.onSettled.push((session) => {
    read.add(session);
    update();
    return Promise.resolve();
  });
  state.moved.event(() => update());
  state.failed.event(update);
  state.initialized.event(() => update());
}
