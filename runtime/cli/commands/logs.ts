/** `toolkit logs NAME`: what its workers wrote, ended ones included. */
import { findDeployed } from '../deployed.ts';
import { paint } from '../paint.ts';
import { type Handler, textFlag } from '../session.ts';

export const handle: Handler = async ({ args, flags, session }) => {
  const { client, endpoint } = await findDeployed(session, args[0]!);
  const lines = await client.logs(endpoint.id, textFlag(flags, 'worker'), session.signal);
  for (const { time, level, worker, request, message } of lines) {
    const colour =
      level === 'error' ? paint.red : level === 'warning' ? paint.yellow : (text: string) => text;
    session.line(
      { time, level, worker, request, message },
      `${paint.dim(`${time} ${worker}${request ? ` ${request}` : ''}`)} ${colour(message)}`,
    );
  }
  if (lines.length === 0) session.note(`No worker of "${endpoint.name}" has written anything yet.`);
};
