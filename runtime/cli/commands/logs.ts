/** `toolkit logs NAME`: prints the output of the endpoint's workers, including ended ones; `-f` follows new output. */
import type { WorkerLogLine } from '../../contract/workerProtocol.ts';
import { followLogs } from '../../deploy/followLogs.ts';
import type { LogQuery } from '../../deploy/platformClient.ts';
import { findConnection } from '../connect.ts';
import { findDeployed } from '../deployed.ts';
import { paint } from '../paint.ts';
import { parseSince } from '../parseSince.ts';
import { type Handler, type Session, textFlag } from '../session.ts';

/** More lines than a platform keeps for ten busy workers. */
const ALL_LINES = 1_000_000;

export const handle: Handler = async ({ args, flags, session }) => {
  const since = parseSince(textFlag(flags, 'since'), new Date());
  const worker = textFlag(flags, 'worker');
  const query: LogQuery = { worker, since, cursor: null, limit: since === null ? null : ALL_LINES };
  const { client, endpoint, settings } = await findDeployed(session, args[0]!);
  const first = await client.logs(endpoint.id, query, session.signal);
  print(first.lines, session);
  if (first.lines.length === 0) {
    const asked = textFlag(flags, 'since');
    const when =
      asked === null ? 'yet' : `${/^\d{4}-/.test(asked) ? 'since' : 'in the last'} ${asked.trim()}`;
    session.note(
      worker === null
        ? `No worker of "${endpoint.name}" has written anything ${when}.`
        : `Worker ${worker} has written nothing ${when}.`,
    );
  }
  if (flags['follow'] !== true) return;
  const pages = followLogs({
    client,
    endpoint,
    query: { ...query, cursor: first.cursor },
    // The platform can come back at another address. Following logs must not start one.
    reconnect: () => findConnection(settings),
    onConnection: (state) =>
      session.note(
        paint.dim(
          state === 'lost' ? `Lost the connection to ${client.url}; waiting for it.` : 'Reconnected.',
        ),
      ),
    signal: session.signal,
  });
  for await (const lines of pages) print(lines, session);
};

function print(lines: WorkerLogLine[], session: Session): void {
  for (const { time, level, worker, request, message } of lines) {
    const colour =
      level === 'error' ? paint.red : level === 'warning' ? paint.yellow : (text: string) => text;
    session.line(
      { time, level, worker, request, message },
      `${paint.dim(`${time} ${worker}${request ? ` ${request}` : ''}`)} ${colour(message)}`,
    );
  }
}
