/** `toolkit status`: what is deployed in this app and environment. */
import { ToolkitError } from '../../contract/errors.ts';
import { connect } from '../connect.ts';
import { table } from '../format.ts';
import { openProject } from '../openProject.ts';
import { paint } from '../paint.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ args, session }) => {
  const { context, settings } = await openProject(session);
  const client = await connect(session, settings);
  const [environment, account] = await Promise.all([
    client.environment(context.app, context.environment, session.signal),
    client.account(session.signal),
  ]);
  const all = environment?.endpoints ?? [];
  const wanted = args[0];
  const shown = wanted === undefined ? all : all.filter(({ name }) => name === wanted);
  if (wanted !== undefined && shown.length === 0) {
    throw new ToolkitError(
      'ENDPOINT_NOT_FOUND',
      `No endpoint "${wanted}" is deployed in ${context.app}/${context.environment}.`,
      {
        hint:
          all.length > 0
            ? `There are: ${all.map(({ name }) => name).join(', ')}.`
            : 'Run "toolkit deploy" first.',
      },
    );
  }
  const endpoints = shown.map(({ routes: _, ...endpoint }) => endpoint);
  const rows = shown.map(({ name, kind, hardware, build, workers, jobs, url }) => [
    name,
    kind,
    hardware,
    `build ${build}`,
    `workers ${workers.running + workers.idle + workers.initializing}/${workers.max}`,
    kind === 'queue' ? `jobs ${jobs.inQueue} waiting, ${jobs.inProgress} running` : '',
    url,
  ]);
  session.result(
    {
      app: context.app,
      environment: context.environment,
      endpoints,
      workersMax: account.workersMax,
      quota: account.quota,
    },
    [
      `${paint.bold(`${context.app} / ${context.environment}`)}  workers ${account.workersMax} of ${account.quota}`,
      rows.length > 0 ? table(rows, '  ') : '  Nothing is deployed. Run "toolkit deploy".',
    ].join('\n'),
  );
};
