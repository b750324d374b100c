/** `toolkit env show [NAME]`: shows one environment's build and endpoints. */
import { environmentDocument } from '../appDocuments.ts';
import { findEnvironment, openEnvironments } from '../appEnvironments.ts';
import { table } from '../format.ts';
import { paint } from '../paint.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ args, session }) => {
  const opened = await openEnvironments(session);
  const environment = findEnvironment(opened, args[0] ?? opened.environment);
  const { app, name, build, endpoints } = environment;
  const rows = endpoints.map((endpoint) => [endpoint.name, endpoint.kind, paint.cyan(endpoint.url)]);
  session.result(
    [environmentDocument(environment)],
    [
      `${paint.bold(`${app} / ${name}`)}  ${build === 0 ? 'never deployed' : `build ${build}`}`,
      rows.length > 0 ? table(rows, '  ') : '  no endpoints',
    ].join('\n'),
  );
};
