/** Modules of peers → dispatch stubs: in their place, calls of endpoint functions go to the deployed endpoints. */
import type { EndpointFunction } from '../../contract/endpoint.ts';
import { ARTIFACT_PATHS } from '../../contract/names.ts';
import type { NamedEndpoint } from './groupEndpoints.ts';
import { docstringText, pythonBool, pythonString, pythonTuple } from './pythonLiteral.ts';

/** A function that some endpoint serves. */
export interface ServedFunction {
  endpoint: NamedEndpoint;
  served: EndpointFunction;
}

/** File → the endpoint functions that it declares, in the order of endpoints. */
export function functionsByFile(endpoints: readonly NamedEndpoint[]): Map<string, ServedFunction[]> {
  const found = new Map<string, ServedFunction[]>();
  for (const endpoint of endpoints) {
    for (const served of endpoint.functions) {
      found.set(served.file, [...(found.get(served.file) ?? []), { endpoint, served }]);
    }
  }
  return found;
}

/** Path of a module's stub in the artifact. */
export function stubPath(module: string): string {
  return `${ARTIFACT_PATHS.stubs}/${module.replaceAll('.', '/')}.py`;
}

/**
 * The text of a module's stub.
 *
 * @param file The real module, relative to the artifact's root: what is no endpoint function comes from it.
 */
export function renderStub(module: string, file: string, functions: readonly ServedFunction[]): string {
  return [
    `"""Dispatch stubs for ${docstringText(module)}: calls go to the deployed endpoints. Made by the build."""`,
    'from toolkit_sdk._dispatch import real_attribute, remote_function',
    '',
    ...functions.map(renderRemoteFunction),
    '',
    '',
    'def __getattr__(name):',
    `    return real_attribute(__name__, ${pythonString(file)}, name)`,
    '',
  ].join('\n');
}

function renderRemoteFunction({ endpoint, served }: ServedFunction): string {
  // A function with two routes is called by its first.
  const route = endpoint.routes.find((one) => one.function === served.name && one.module === served.module);
  const parameters = served.parameters.map(({ name, kind, required }) =>
    pythonTuple([pythonString(name), pythonString(kind), pythonBool(required)]),
  );
  const given = [
    `endpoint=${pythonString(endpoint.name)}`,
    `module=${pythonString(served.module)}`,
    `name=${pythonString(served.name)}`,
    `parameters=${pythonTuple(parameters)}`,
    `is_async=${pythonBool(served.async)}`,
    `route=${route ? pythonTuple([route.method, route.path].map(pythonString)) : 'None'}`,
    `description=${served.description === null ? 'None' : pythonString(served.description)}`,
  ];
  return `${served.name} = remote_function(${given.join(', ')})`;
}
