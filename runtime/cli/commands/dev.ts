/** `toolkit dev`: serves the project at local paths; functions run as live endpoints of the platform. */
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
/** A dev of an editor writes to a file that nobody reads once it is ready: what happens then is told over its socket. */
const OF_CLIENTS: ReadonlySet<DevEvent['event']> = new Set<DevEvent['event']>([
  'log',
  'provisioned',
  'reload',
  'request',
]);
/** Cells that a description gets on a terminal that is too narrow for the table. */
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
      if (!isAttached || !OF_CLIENTS.has(event.event)) print(event, session, port);
    },
    report: session.report,
    signal: session.signal,
    abandoned: isAttached ? endDev : null,
  });
  const dev = await starting.catch((error: unknown) => {
    // Ctrl+C is the way to stop it, also while it starts.
    if (session.signal.aborted) return null;
    throw error;
  });
  await stopped;
  await dev?.stop();
};

/** Arguments and environment can be read by others on the machine. */
async function readEditorKeys(session: Session): Promise<Record<string, string>> {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(`${await readStandardInput(session.signal)}`));
  } catch (cause) {
    session.signal.throwIfAborted();
    throw new ToolkitError('USAGE', '--editor-keys needs a JSON object of texts on standard input.', {
      cause,
    });
  }
}

/** @throws ToolkitError CONFIRMATION_NEEDED for many endpoints without a yes. */
async function askToProvision(
  names: readonly string[],
  flags: Record<string, unknown>,
  session: Session,
): Promise<void> {
  if (names.length <= LIVE_LIMITS.provisionedUnasked || flags['yes'] === true) return;
  const what = `${names.length} endpoints (${names.join(', ')})`;
  if (await session.confirm?.(`Provision ${what} now?`)) return;
  throw new ToolkitError('CONFIRMATION_NEEDED', `This would provision ${what}; nothing was changed.`, {
    hint: 'Add --yes if that is what you want, or leave out --auto-provision: each is then provisioned at its first call.',
  });
}

function parsePort(text: string | null): number {
  if (text === null) return DEFAULT_PORT;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new ToolkitError('USAGE', `--port must be a number between 1 and 65535, not "${text}".`);
}

function print(event: DevEvent, session: Session, wishedPort: number): void {
  if (session.flags.json) return session.line(event, '');
  for (const line of textOf(event, wishedPort)) session.line(event, line);
}

function textOf(event: DevEvent, wishedPort: number): string[] {
  switch (event.event) {
    case 'ready':
      return ready(event, wishedPort);
    case 'reload':
      return reload(event);
    case 'provisioned': {
      const seconds = formatSeconds(event.milliseconds / 1_000);
      const how = event.reused ? 'is taken over from a dev that crashed' : `is provisioned after ${seconds}`;
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
      const what = count === 0 ? 'no live endpoint was left' : `removed ${event.removed.join(', ')}`;
      return [`Dev stopped; ${what}.`];
    }
  }
}

function ready(
  { url, token, routes }: { url: string; token: string | null; routes: DevPath[] },
  wishedPort: number,
): string[] {
  const rows = routes.map(({ method, path, type, description }) => [
    `${method} ${path}`,
    description ?? '',
    type === 'queue' ? 'queue-based' : 'load-balanced',
  ]);
  const heading = ['Local path', 'Description', 'Type'];
  const port = new URL(url).port;
  const moved =
    Number(port) === wishedPort ? [] : [`Port ${wishedPort} is in use, so dev listens on ${port}.`];
  const guarded =
    token === null ? [] : [`Others can connect: requests need "Authorization: Bearer ${token}".`];
  const listed =
    rows.length > 0
      ? [
          '',
          ...table(fitted([heading, ...rows], process.stdout))
            .split('\n')
            .map((line, at) => (at === 0 ? paint.bold(line) : line)),
          '',
        ]
      : ['No @Endpoint function was found yet; paths appear as soon as one is saved.'];
  return [
    ...listed,
    ...moved,
    ...guarded,
    `${paint.green('✓')} Ready at ${paint.cyan(url)} ${paint.dim('(Ctrl+C stops it)')}`,
    `  Send requests at ${paint.cyan(`${url}${PAGE_PATHS.page}${token === null ? '' : `#token=${token}`}`)}`,
  ];
}

/** Descriptions are cut to what a terminal has room for, so that it does not break the rows. */
function fitted(rows: string[][], { isTTY, columns }: NodeJS.WriteStream): string[][] {
  if (!isTTY || !columns) return rows;
  const [path, , type] = [0, 1, 2].map((at) => Math.max(...rows.map((row) => textWidth(row[at]!))));
  const room = Math.max(columns - path! - type! - 2 * '  '.length, SHORTEST_DESCRIPTION);
  return rows.map((row) => row.with(1, truncateText(row[1]!, room)));
}

function reload(event: Extract<DevEvent, { event: 'reload' }>): string[] {
  const { updated, recovered, added, removed, kept, milliseconds } = event;
  const said = [
    ...(updated.length > 0 ? [`updated ${updated.join(', ')}`] : []),
    ...(recovered.length > 0 ? [`${recovered.join(', ')} up to date again`] : []),
    ...(added.length > 0 ? [`added ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removed ${removed.join(', ')}`] : []),
  ];
  const lines =
    said.length > 0 ? [`${paint.cyan('↻')} ${said.join('; ')} ${paint.dim(`in ${milliseconds} ms`)}`] : [];
  const failures = kept.map(
    ({ endpoint, message, serves, retried }) =>
      `${paint.yellow('!')} ${endpoint} ${serves ? 'still serves its last good version' : 'cannot be served'}: ${message.split('\n', 1)[0]}${retried ? ' Dev tries again.' : ''}`,
  );
  return [...lines, ...failures];
}
