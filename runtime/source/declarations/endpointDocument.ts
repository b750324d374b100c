/** A declaration → the Endpoint document that `list`, the editor and the build use, with defaults applied. */
import type { Endpoint, EndpointFunction, EndpointRoute, Hardware } from '../../contract/endpoint.ts';
import { DEFAULTS } from '../../contract/limits.ts';
import type { Definition } from '../binder/FileFacts.ts';
import { areOneOf, routeShape } from './alternatives.ts';
import type { Outcome } from './argumentValues.ts';
import {
  type Declaration,
  effectiveName,
  type RouteDeclaration,
  type ServedDefinition,
} from './Declaration.ts';
import { moduleOfFile } from './ModuleTable.ts';
import type { NameResolver } from './NameResolver.ts';
import { publicMethods, qualifiedName } from './publicMethods.ts';

/** Creates the document. Invalid values are null and have a diagnostic. */
export function endpointDocument(declaration: Declaration, names: NameResolver): Endpoint {
  const { call, kind } = declaration;
  const dynamic: string[] = [];
  const value = <Value>(field: string, outcome: Outcome<Value>, absent: Value | null): Value | null => {
    if (outcome.state === 'dynamic') dynamic.push(field);
    if (outcome.state === 'known') return outcome.value;
    return outcome.state === 'absent' ? absent : null;
  };
  const name = value('name', declaration.name, effectiveName(declaration));
  const hardware = hardwareOf(declaration, dynamic);
  const workers = value('workers', declaration.workers, {
    min: DEFAULTS.workersMin,
    max: DEFAULTS.workersMax,
  });
  const idleTimeout = value('idleTimeout', declaration.idleTimeout, DEFAULTS.idleTimeoutSeconds);
  const dependencies = value('dependencies', declaration.dependencies, []);
  const env = value('env', declaration.env, { env: {}, envFrom: {} });
  const document: Endpoint = {
    name,
    kind,
    file: declaration.file,
    line: call.range.start.line + 1,
    hardware,
    workers,
    idleTimeout,
    dependencies,
    env: env?.env ?? null,
    envFrom: env?.envFrom ?? {},
    image: value('image', declaration.image, null),
    gpuCount: value('gpuCount', declaration.gpuCount, null),
    executionTimeout: value('executionTimeout', declaration.executionTimeout, null),
    maxConcurrency: value('maxConcurrency', declaration.maxConcurrency, null),
    command: value('command', declaration.command, null),
    functions: functionsOf(declaration, names),
    routes: routesOf(declaration),
    dynamic,
    deployed: null,
    ...(declaration.alternative && { alternative: true }),
  };
  const hasDynamicPath = declaration.routes.some(({ path }) => path.state === 'dynamic');
  if (hasDynamicPath || (declaration.contested && kind !== 'queue')) dynamic.push('routes');
  if (declaration.contested && kind === 'queue') dynamic.push('functions');
  return document;
}

function hardwareOf({ gpu, cpu }: Declaration, dynamic: string[]): Hardware | null {
  if (gpu.state === 'dynamic' || cpu.state === 'dynamic') {
    dynamic.push('hardware');
    return null;
  }
  if (cpu.state === 'known') return { cpu: cpu.value };
  if (gpu.state === 'known') return { gpu: gpu.value.member };
  return cpu.state === 'absent' && gpu.state === 'absent' ? { gpu: DEFAULTS.gpu } : null;
}

/** Each function once, in the source order of the decorators. */
function functionsOf({ served, routes }: Declaration, names: NameResolver): EndpointFunction[] {
  const functions = new Map<string, EndpointFunction>();
  for (const item of [...served, ...routes]) {
    const key = `${item.file}:${item.definition.scope}:${item.definition.name}`;
    if (!functions.has(key)) functions.set(key, functionOf(item, names));
  }
  return [...functions.values()];
}

/** The function that runs for a served definition; for a class, its only public method, without `self`. */
export function servedFunction(
  { file, definition }: ServedDefinition,
  names: NameResolver,
): Pick<EndpointFunction, 'parameters'> & { definition: Definition } {
  const method = definition.kind === 'class' ? publicMethods(names, file, definition)[0] : undefined;
  if (!method) return { definition, parameters: definition.parameters };
  // `def run(*args)` receives the instance as one of `args`.
  const [first, ...rest] = method.parameters;
  return { definition: method, parameters: first?.kind === 'var-positional' ? method.parameters : rest };
}

/** A served definition, as described in the document. */
export function functionOf(item: ServedDefinition, names: NameResolver): EndpointFunction {
  const { file, definition } = item;
  const { definition: served, parameters } = servedFunction(item, names);
  return {
    name: served.name,
    class: definition.kind === 'class' ? qualifiedName(definition, names.factsOf(file)) : null,
    module: moduleOfFile(file),
    file,
    line: served.line,
    async: served.async,
    description: served.description ?? definition.description,
    parameters,
    ...(served.returnsBytes && { returnsBytes: true }),
  };
}

function isSameRoute(one: RouteDeclaration, other: RouteDeclaration): boolean {
  const isNamedSo = one.definition.name === other.definition.name;
  return isNamedSo && areOneOf(one, other) && routeShape(one) === routeShape(other);
}

/** Each route once, even if several branches declare it. */
function routesOf({ routes }: Declaration): EndpointRoute[] {
  const each = routes.filter(
    (route, at) => !route.definition.arms || !routes.slice(0, at).some((other) => isSameRoute(route, other)),
  );
  return each.flatMap(({ method, path, definition, file, decorator }) =>
    path.state === 'known'
      ? [
          {
            method,
            path: path.value,
            instance: decorator.path!.at(-2)!,
            function: definition.name,
            module: moduleOfFile(file),
            file,
            line: decorator.range.start.line + 1,
            description: definition.description,
          },
        ]
      : [],
  );
}
