/** `toolkit status`: shows what is deployed in this app and environment. */
import type { RemoteEndpoint } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { connect } from '../connect.ts';
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
            ? `Deployed endpoints: ${all.map(({ name }) => name).join(', ')}.`
            : 'Run "toolkit deploy" first.',
      },
    );
  }
  const endpoints = shown.map(({ routes: _routes, run: _run, ...endpoint }) => endpoint);
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
      ...(shown.length > 0 ? shown.map(describe) : ['', 'Nothing is deployed. Run "toolkit deploy".']),
    ].join('\n'),
  );
};

function describe({ name, kind, hardware, build, workers, jobs, url }: RemoteEndpoint): string {
  const active = workers.running + workers.idle + workers.initializing;
  const load = [`${active} of ${workers.min}–${workers.max} workers`];
  if (workers.unhealthy > 0) load.push(paint.red(`${workers.unhealthy} unhealthy`));
  if (kind === 'queue')
    load.push(`${jobs.inQueue} jobs waiting`, `${jobs.inProgress} running`, `${jobs.failed} failed`);
  return [
    '',
    `${paint.bold(name)}  ${kind} · ${hardware} · build ${build}`,
    `  ${paint.cyan(url)}`,
    `  ${load.join(' · ')}`,
  ].join('\n');
}
