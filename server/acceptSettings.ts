/** The client's settings → the interpreter of each project. */
import { type Connection, DidChangeConfigurationNotification } from 'vscode-languageserver';
import type { EditorSettings } from '../runtime/contract/editorMessages.ts';
import type { ServerState } from './ServerState.ts';
import { pathOfUri, uriOfPath } from './workspace/uris.ts';

const SECTION = 'toolkit';

/** In milliseconds. How long a project waits for the client's answer before it is read without it. */
const ANSWER_TIMEOUT = 1_000;

export function acceptSettings(connection: Connection, state: ServerState): void {
  let sent: Untrusted<EditorSettings> = {};

  state.pythonOf = async (root) => {
    const scope = uriOfPath(root);
    const settings = state.capabilities.workspace?.configuration ? await asked(connection, scope) : sent;
    const own = Object.entries(objectOf(settings.projects)).find(([uri]) => pathOfUri(uri) === root)?.[1];
    return text(objectOf(own).python) ?? text(settings.python) ?? state.options.python;
  };

  state.initialized.event(() => {
    if (state.capabilities.workspace?.didChangeConfiguration?.dynamicRegistration)
      state.ask(connection.client.register(DidChangeConfigurationNotification.type, { section: SECTION }));
  });

  connection.onDidChangeConfiguration(({ settings }) => {
    sent = objectOf(objectOf(settings)[SECTION]);
    for (const session of state.workspace.sessions) session.usePython();
  });
}

/** Settings are typed by hand, so a value can have any type. */
type Untrusted<Settings> = { [Key in keyof Settings]?: unknown };

async function asked(connection: Connection, scopeUri: string): Promise<Untrusted<EditorSettings>> {
  const answer = connection.workspace.getConfiguration({ scopeUri, section: SECTION }).catch(() => null);
  const late = new Promise((resolve) => setTimeout(resolve, ANSWER_TIMEOUT, null).unref());
  return objectOf(await Promise.race([answer, late]));
}

/** A value that is not an object counts as not set. */
function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
