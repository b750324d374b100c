/** `toolkit history`: lists the builds that were deployed to an environment, newest first. */
import { connect } from '../connect.ts';
import { formatTime, table } from '../format.ts';
import { openProject } from '../openProject.ts';
import { paint } from '../paint.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ session }) => {
  const { context, settings } = await openProject(session);
  const client = await connect(session, settings);
  const builds = await client.history(context.app, context.environment, session.signal);
  const rows = builds.map(({ build, time, endpoints, current }) => [
    current ? paint.green('●') : ' ',
    String(build),
    formatTime(time),
    endpoints.join(', ') || 'no endpoints',
  ]);
  const place = `${context.app} / ${context.environment}`;
  session.result(
    { builds },
    builds.length > 0
      ? [`${paint.bold(place)}  ${paint.green('●')} current`, '', table(rows, '  ')].join('\n')
      : `Nothing has been deployed to ${place} yet. Run "toolkit deploy".`,
  );
};
