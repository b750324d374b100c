/** Endpoints → handler files. A worker runs its handler, which only names what to serve. */
import { ARTIFACT_PATHS } from '../../contract/names.ts';
import type { NamedEndpoint } from './groupEndpoints.ts';
import { docstringText, pythonString, pythonTuple } from './pythonLiteral.ts';
import { qualifiedName } from './stubs.ts';

/** Path of an endpoint's handler in the artifact. */
export function handlerPath(endpoint: string): string {
  return `${ARTIFACT_PATHS.handlers}/${endpoint}.py`;
}

/**
 * The text of an endpoint's handler.
 *
 * @param stubs Modules of peers → path of their stub in the artifact.
 * @param variables Environment variables that declarations in the endpoint's files read at deploy, sorted.
 */
export function renderHandler(
  endpoint: NamedEndpoint,
  stubs: ReadonlyMap<string, string>,
  variables: readonly string[],
): string {
  const serve = endpoint.kind === 'queue' ? 'serve_queue' : 'serve_load_balanced';
  const served = endpoint.kind === 'queue' ? 'FUNCTION' : 'ROUTES';
  const entries = [...stubs].sort(([a], [b]) => (a < b ? -1 : 1));
  const names = variables.map(pythonString);
  return [
    `"""Handler of the endpoint "${docstringText(endpoint.name)}": made by the build, run by the worker."""`,
    `from toolkit_sdk._worker import ${serve}`,
    '',
    `STUBS = {${entries.map(([module, file]) => `${pythonString(module)}: ${pythonString(file)}`).join(', ')}}`,
    `${served} = ${endpoint.kind === 'queue' ? renderFunction(endpoint) : renderRoutes(endpoint)}`,
    ...(names.length > 0 ? [`VARIABLES = ${pythonTuple(names)}`] : []),
    '',
    'if __name__ == "__main__":',
    `    ${serve}(${pythonString(endpoint.name)}, ${served}, STUBS${names.length > 0 ? ', VARIABLES' : ''})`,
    '',
  ].join('\n');
}

function renderFunction(endpoint: NamedEndpoint): string {
  const [served] = endpoint.functions;
  if (!served) throw new Error(`The queue-based endpoint "${endpoint.name}" has no function.`);
  return pythonTuple([served.module, served.file, qualifiedName(served)].map(pythonString));
}

function renderRoutes(endpoint: NamedEndpoint): string {
  const rows = endpoint.routes.map((route) =>
    pythonTuple([route.method, route.path, route.module, route.file, route.function].map(pythonString)),
  );
  return rows.length === 0 ? '[]' : `[\n${rows.map((row) => `    ${row},\n`).join('')}]`;
}
