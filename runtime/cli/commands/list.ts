/** `toolkit list`: the endpoints as the code declares them. */
import type { Endpoint } from '../../contract/endpoint.ts';
import { table } from '../format.ts';
import { formatDiagnostics } from '../formatDiagnostics.ts';
import { openProject } from '../openProject.ts';
import { paint } from '../paint.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ session }) => {
  const { reading, context } = await openProject(session);
  const { endpoints, diagnostics, root } = reading;
  const problems = diagnostics.filter(({ severity }) => severity === 'error');
  const text = [
    `${paint.bold(context.app)} / ${context.environment}`,
    ...(endpoints.length > 0
      ? endpoints.map(describe)
      : ['', 'No endpoints found. Mark a function with @Endpoint(…) from toolkit_sdk.']),
    ...(problems.length > 0 ? ['', formatDiagnostics(problems)] : []),
  ].join('\n');
  session.result({ app: context.app, environment: context.environment, root, endpoints, diagnostics }, text);
};

function describe(endpoint: Endpoint): string {
  const { name, kind, file, line, hardware, workers } = endpoint;
  const machine =
    hardware === null ? 'dynamic hardware' : 'gpu' in hardware ? `GPU ${hardware.gpu}` : hardware.cpu;
  const range = workers ? `${workers.min}–${workers.max} workers` : 'dynamic workers';
  const served =
    kind === 'load-balanced'
      ? endpoint.routes.map((route) => [`${route.method} ${route.path}`, route.description ?? ''])
      : endpoint.functions.map((served) => [`${served.name}()`, served.description ?? '']);
  return [
    '',
    `${paint.bold(name ?? '(dynamic name)')}  ${kind} · ${machine} · ${range}  ${paint.dim(`${file}:${line}`)}`,
    table(served, '  '),
  ].join('\n');
}
