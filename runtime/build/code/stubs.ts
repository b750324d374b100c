/** Modules of peers → dispatch stubs, which replace them on a worker and send calls to the deployed endpoints. */
import type { EndpointFunction } from '../../contract/endpoint.ts';
import { ARTIFACT_PATHS } from '../../contract/names.ts';
import type { NamedEndpoint } from './groupEndpoints.ts';
import { docstringText, pythonBool, pythonString, pythonTuple } from './pythonLiteral.ts';

/** A function and the endpoint that serves it. */
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

/** The function's name in its module; a method's name begins with its class. */
export function qualifiedName(served: EndpointFunction): string {
  return served.class === null ? served.name : `${served.class}.${served.name}`;
}

/** The name that other modules import to call the function: the function, or its outermost class. */
export function importedName(served: EndpointFunction): string {
  return qualifiedName(served).split('.', 1)[0]!;
}

/** Path of a module's stub in the artifact. */
export function stubPath(module: string): string {
  return `${ARTIFACT_PATHS.stubs}/${module.replaceAll('.', '/')}.py`;
}

/**
 * The text of a module's stub.
 *
 * @param file The real module, relative to the artifact's root. The stub loads all other attributes from it.
 */
export function renderStub(module: string, file: string, functions: readonly ServedFunction[]): string {
  const bindings: Bindings = new Map();
  for (const one of functions) bind(bindings, (one.served.class ?? one.served.name).split('.'), one);
  return [
    `"""Dispatch stubs for ${docstringText(module)}: calls go to the deployed endpoints. Made by the build."""`,
    ...renderImports(functions),
    '',
    ...[...bindings].map(([name, given]) => `${name} = ${renderBinding(given)}`),
    '',
    '',
    'def __getattr__(name):',
    `    return real_attribute(__name__, ${pythonString(file)}, name)`,
    '',
  ].join('\n');
}

/** Name → the served function or class, or the bindings inside an outer class. */
type Bindings = Map<string, ServedFunction | Bindings>;

function bind(bindings: Bindings, [name = '', ...inside]: string[], served: ServedFunction): void {
  if (inside.length === 0) {
    bindings.set(name, served);
    return;
  }
  const present = bindings.get(name);
  const inner: Bindings = present instanceof Map ? present : new Map();
  bindings.set(name, inner);
  bind(inner, inside, served);
}

function renderBinding(bound: ServedFunction | Bindings): string {
  if (bound instanceof Map) {
    return `SimpleNamespace(${[...bound].map(([name, inner]) => `${name}=${renderBinding(inner)}`).join(', ')})`;
  }
  const { served } = bound;
  const remote = renderRemoteFunction(bound);
  return served.class === null ? remote : `remote_class(${pythonString(served.class)}, ${remote})`;
}

function renderImports(functions: readonly ServedFunction[]): string[] {
  const classes = functions.flatMap(({ served }) => served.class ?? []);
  const used = ['real_attribute', ...(classes.length > 0 ? ['remote_class'] : []), 'remote_function'];
  return [
    ...(classes.some((name) => name.includes('.')) ? ['from types import SimpleNamespace', ''] : []),
    `from toolkit_sdk._dispatch import ${used.join(', ')}`,
  ];
}

function renderRemoteFunction({ endpoint, served }: ServedFunction): string {
  // A function with several routes is called by its first route.
  const route = endpoint.routes.find((one) => one.function === served.name && one.module === served.module);
  const parameters = served.parameters.map(({ name, kind, required }) =>
    pythonTuple([pythonString(name), pythonString(kind), pythonBool(required)]),
  );
  const given = [
    `endpoint=${pythonString(endpoint.name)}`,
    `module=${pythonString(served.module)}`,
    `name=${pythonString(qualifiedName(served))}`,
    `parameters=${pythonTuple(parameters)}`,
    `is_async=${pythonBool(served.async)}`,
    `route=${route ? pythonTuple([route.method, route.path].map(pythonString)) : 'None'}`,
    `description=${served.description === null ? 'None' : pythonString(served.description)}`,
    ...(served.returnsBytes ? ['returns_bytes=True'] : []),
  ];
  return `remote_function(${given.join(', ')})`;
}
