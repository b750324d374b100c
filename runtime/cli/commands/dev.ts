/** `toolkit dev`: serves the project at local paths. Its functions run as live endpoints on the platform. */
import * as z from 'zod/mini';
import type { DevEvent, DevPath } from '../../contract/devEvents.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { LIVE_LIMITS } from '../../contract/limits.ts';
import { PAGE_PATHS } from '../../contract/requestPage.ts';
import { readSettings, resolveContext } from '../../deploy/settings.ts';
import { readProjectConfig } from '../../source/projectConfig.ts';
import { formatSeconds, table } from '../format.ts';
import { projectRoot } from '../openProject.ts';
import { paint } from '../paint.ts';
import { readStandardInput } from '../readStandardInput.ts';
import { type Handler, type Session, textFlag } from '../session.ts';
import { textWidth, truncateText } from '../textWidth.ts';
import { VERSION } from '../version.ts';

const DEFAULT_PORT = 8_888;
/** An attached dev server does not print these: its socket sends them, and nobody reads its output once it is ready. */
const SENT_TO_CLIENTS: ReadonlySet<DevEvent['event']> = new Set<DevEvent['event']>([
  'log',
  'provisioned',
  'reload',
  'request',
]);
/** Minimum width of a description, on a terminal too narrow for the table. */
const SHORTEST_DESCRIPTION = 11;

export const handle: Handler = async ({ flags, session }) => {
  const port = parsePort(textFlag(flags, 'port'));
  const root = projectRoot(session);
  const editorKeys = flags['editorKeys'] === true ? await readEditorKeys(session) : {};
  const settings = readSettings(root, session.env, editorKeys);
  const context = resolveContext(settings, session.flags, readProjectConfig(root).app);
  const { connect } = await import('../connect.ts');
  const { startDev } = await import('../../dev/startDev.ts');
  const isAttached = flags['attached'] === true;
  const { promise: stopped, resolve: endDev } = Promise.withResolvers<void>();
  if (session.signal.aborted) endDev();
  else session.signal.addEventListener('abort', () => endDev(), { once: true });
  const starting = startDev({
    root,
    context,
    toolkitHome: settings.toolkitHome,
    env: session.env,
    connect: () => connect(session, settings),
    host: textFlag(flags, 'host') ?? 'localhost',
    port,
    reload: flags['reload'] !== false,
    autoProvision: flags['autoProvision'] === true ? (names) => askToProvision(names, flags, session) : null,
    version: VERSION,
    emit: (event) => {
      if (!isAttached || !SENT_TO_CLIENTS.has(event.event)) print(event, session, port);
    },
    report: session.report,
    signal: session.signal,
    abandoned: isAttached ? endDev : null,
  });
  const dev = await starting.catch((error: unknown) => {
    // Ctrl+C stops it normally, even while it starts.
    if (session.signal.aborted) return null;
    throw error;
  });
  await stopped;
  await dev?.stop();
};

/** Keys arrive on standard input: other users of the machine can read arguments and environment variables. */
async function readEditorKeys(session: Session): Promise<Record<string, string>> {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(`${await readStandardInput(session.signal)}`));
  } catch (cause) {
    session.signal.throwIfAborted();
    throw new ToolkitError('USAGE', '--editor-keys needs a JSON object of strings on standard input.', {
      cause,
    });
  }
}

/** @throws ToolkitError CONFIRMATION_NEEDED if many endpoints would be provisioned and nobody confirms it. */
async function askToProvision(
  names: readonly string[],
  flags: Record<string, unknown>,
  session: Session,
): Promise<void> {
  if (names.length <= LIVE_LIMITS.provisionedUnasked || flags['yes'] === true) return;
  const what = `${names.length} endpoints (${names.join(', ')})`;
  if (await session.confirm?.(`Provision ${what} now?`)) return;
  throw new ToolkitError('CONFIRMATION_NEEDED', `This would provision ${what}; nothing was changed.`, {
    hint: 'Add --yes to confirm, or remove --auto-provision to provision each endpoint on its first call.',
  });
}

function parsePort(text: string | null): number {
  if (text === null) return DEFAULT_PORT;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new ToolkitError('USAGE', `--port must be a number between 1 and 65535, not "${text}".`);
}

function print(event: DevEvent, session: Session, requestedPort: number): void {
  if (session.flags.json) return session.line(event, '');
  for (const line of textOf(event, requestedPort)) session.line(event, line);
}

function textOf(event: DevEvent, requestedPort: number): string[] {
  switch (event.event) {
    case 'ready':
      return ready(event, requestedPort);
    case 'reload':
      return reload(event);
    case 'provisioned': {
      const seconds = formatSeconds(event.milliseconds / 1_000);
      const how = event.reused ? 'reused from a dev server that crashed' : `provisioned in ${seconds}`;
      return [`${paint.green('✓')} ${event.endpoint} ${how} · ${event.hardware}`];
    }
    case 'request': {
      const { method, path, status, milliseconds, where } = event;
      const colour = status < 400 ? paint.green : status < 500 ? paint.yellow : paint.red;
      const took = milliseconds < 1_000 ? `${milliseconds} ms` : formatSeconds(milliseconds / 1_000);
      return [
        `${method} ${path} ${colour(String(status))} ${paint.dim(`in ${took}${where ? ` · ${where}` : ''}`)}`,
      ];
    }
    case 'log': {
      const colour =
        event.level === 'error'
          ? paint.red
          : event.level === 'warning'
            ? paint.yellow
            : (text: string) => text;
      return [`${paint.dim(`${event.endpoint} |`)} ${colour(event.message)}`];
    }
    case 'error':
      return [`${paint.red('✗')} ${event.message}`, ...(event.hint ? [`  ${paint.dim(event.hint)}`] : [])];
    case 'stopped': {
      const count = event.removed.length;
      const what = count === 0 ? 'no live endpoints to remove' : `removed ${event.removed.join(', ')}`;
      return [`The dev server stopped; ${what}.`];
    }
  }
}

function ready(
  { url, token, routes }: { url: string; token: string | null; routes: DevPath[] },
  requestedPort: number,
): string[] {
  const rows = routes.map(({ method, path, type, description }) => [
    `${method} ${path}`,
    description ?? '',
    type === 'queue' ? 'queue-based' : 'load-balanced',
  ]);
  const heading = ['Local path', 'Description', 'Type'];
  const port = new URL(url).port;
  const moved =
    Number(port) === requestedPort ? [] : [`Port ${requestedPort} is in use; using ${port} instead.`];
  const guarded =
    token === null ? [] : [`Other machines can connect, so requests need "Authorization: Bearer ${token}".`];
  const listed =
    rows.length > 0
      ? [
          '',
          ...table(fitted([heading, ...rows], process.stdout))
            .split('\n')
            .map((line, at) => (at === 0 ? paint.bold(line) : line)),
          '',
        ]
      : ['No @Endpoint function found yet. Paths appear as soon as you save one.'];
  return [
    ...listed,
    ...moved,
    ...guarded,
    `${paint.green('✓')} Ready at ${paint.cyan(url)} ${paint.dim('(press Ctrl+C to stop)')}`,
    `  Send requests at ${paint.cyan(`${url}${PAGE_PATHS.page}${token === null ? '' : `#token=${token}`}`)}`,
  ];
}

/** Cuts the descriptions so that each row fits on one line of the terminal. */
function fitted(rows: string[][], { isTTY, columns }: NodeJS.WriteStream): string[][] {
  if (!isTTY || !columns) return rows;
  const [path, , type] = [0, 1, 2].map((at) => Math.max(...rows.map((row) => textWidth(row[at]!))));
  const room = Math.max(columns - path! - type! - 2 * '  '.length, SHORTEST_DESCRIPTION);
  return rows.map((row) => row.with(1, truncateText(row[1]!, room)));
}

function reload(event: Extract<DevEvent, { event: 'reload' }>): string[] {
  const { updated, recovered, added, removed, kept, milliseconds } = event;
  const changes = [
    ...(updated.length > 0 ? [`updated ${updated.join(', ')}`] : []),
    ...(recovered.length > 0 ? [`${recovered.join(', ')} up to date again`] : []),
    ...(added.length > 0 ? [`added ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removed ${removed.join(', ')}`] : []),
  ];
  const lines =
    changes.length > 0
      ? [`${paint.cyan('↻')} ${changes.join('; ')} ${paint.dim(`in ${milliseconds} ms`)}`]
      : [];
  const failures = kept.map(
    ({ endpoint, message, serves, retried }) =>
      `${paint.yellow('!')} ${endpoint} ${serves ? 'still serves its last good version' : 'cannot be served'}: ${message.split('\n', 1)[0]}${retried ? ' Retrying.' : ''}`,
  );
  return [...lines, ...failures];
}
