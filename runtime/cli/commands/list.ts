/** `toolkit list`: lists the endpoints that the code declares. */
import type { RemoteEndpoint } from '../../contract/deployment.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { connect } from '../connect.ts';
import { table } from '../format.ts';
import { formatDiagnostics } from '../formatDiagnostics.ts';
import { openProject } from '../openProject.ts';
import { paint } from '../paint.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ flags, session }) => {
  const { reading, context, settings } = await openProject(session);
  const { diagnostics, root } = reading;
  const remote =
    flags['deployed'] === true
      ? await (await connect(session, settings)).environment(context.app, context.environment, session.signal)
      : null;
  const endpoints = reading.sites.map((endpoint) => ({
    ...endpoint,
    deployed: whereDeployed(remote?.endpoints ?? [], endpoint),
  }));
  const problems = diagnostics.filter(({ severity }) => severity === 'error');
  const text = [
    `${paint.bold(context.app)} / ${context.environment}`,
    ...(endpoints.length > 0
      ? endpoints.map(describe)
      : ['', 'No endpoints found. Mark a function with @Endpoint(…) from toolkit_sdk.']),
    ...(problems.length > 0 ? ['', formatDiagnostics(problems, reading.textOf, process.stdout)] : []),
  ].join('\n');
  session.result({ app: context.app, environment: context.environment, root, endpoints, diagnostics }, text);
  const declared = new Set(endpoints.map(({ name }) => name));
  const undeclared = (remote?.endpoints ?? []).filter(({ name, live }) => !live && !declared.has(name));
  if (undeclared.length > 0)
    session.note(
      `Deployed but not declared here: ${undeclared.map(({ name }) => name).join(', ')}. The next deploy will ask to remove them.`,
    );
};

function whereDeployed(remote: RemoteEndpoint[], { name }: Endpoint): Endpoint['deployed'] {
  const found = remote.find((other) => other.name === name);
  return found ? { id: found.id, url: found.url, build: found.build } : null;
}

function describe(endpoint: Endpoint): string {
  const { name, kind, file, line, hardware, workers, dynamic } = endpoint;
  const unknown = (field: string): string => `${dynamic.includes(field) ? 'dynamic' : 'invalid'} ${field}`;
  const machine =
    hardware === null ? unknown('hardware') : 'gpu' in hardware ? `GPU ${hardware.gpu}` : hardware.cpu;
  const range = workers ? `${workers.min}–${workers.max} workers` : unknown('workers');
  const title = name || (dynamic.includes('name') ? '(dynamic name)' : '(no valid name)');
  const branch = endpoint.alternative ? ', in another branch' : '';
  const served =
    kind === 'load-balanced'
      ? endpoint.routes.map((route) => [`${route.method} ${route.path}`, route.description ?? ''])
      : endpoint.functions.map((served) => [`${served.name}()`, served.description ?? '']);
  return [
    '',
    `${paint.bold(title)}  ${kind} · ${machine} · ${range}  ${paint.dim(`${file}:${line}${branch}`)}`,
    ...(served.length > 0 ? [table(served, '  ')] : []),
    ...(endpoint.deployed
      ? [`  ${paint.cyan(endpoint.deployed.url)}  ${paint.dim(`build ${endpoint.deployed.build}`)}`]
      : []),
  ].join('\n');
}
