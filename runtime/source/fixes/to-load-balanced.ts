/** Turns queue-based functions that share a name into routes of one load-balanced endpoint. */
import { type Declaration, effectiveName, type ServedDefinition } from '../declarations/Declaration.ts';
import { variableOf } from '../declarations/variableOf.ts';
import { contains, isSameRange } from '../syntax/range.ts';
import { otherArguments, quoted } from './callArguments.ts';
import type { Fixes, FixRequest } from './Fix.ts';
import { servingDecorators, sharedInstanceAt } from './findPlace.ts';
import { sdkName } from './sdkName.ts';
import type { TextEdit } from './TextEdit.ts';

export function* toLoadBalanced(request: FixRequest): Fixes {
  const edits = editsFor(request);
  if (edits) yield { title: 'Make them routes of one load-balanced endpoint', edits };
}

function editsFor(request: FixRequest): TextEdit[] | null {
  const { index, found } = request;
  // `@queue` on several functions, or on one function when the instance also has routes.
  const shared = sharedInstanceAt(request);
  if (shared) return asRoutes(request, shared);
  const name = nameAt(request);
  if (name === null) return null;
  const all = index.declarations.filter((other) => effectiveName(other) === name);
  // Functions in several files would have to import each other at the top level.
  if (all.some(({ file, guard }) => file !== found.file || guard !== null)) return null;
  const queues = all.filter(({ form, served }) => form === 'decorator' && served.length === 1);
  const [instance, ...others] = all.filter(({ form }) => form === 'instance');
  if (queues.length + (instance ? 1 : 0) !== all.length || others.length > 0) return null;
  if (!instance) return newInstance(request, name, queues);
  return instance.kind === 'load-balanced' ? joinInstance(request, instance, queues) : null;
}

function nameAt({ index, found }: FixRequest): string | null {
  const inFile = index.declarations.filter(({ file }) => file === found.file);
  const isCalledAt = ({ call }: Declaration) => contains(call.range, found.range);
  const declaration =
    inFile.find(
      (one) =>
        one.form === 'decorator' &&
        (isCalledAt(one) ||
          one.served.some(({ definition }) => isSameRange(definition.nameRange, found.range))),
    ) ?? inFile.find(isCalledAt);
  return declaration ? effectiveName(declaration) : null;
}

function asRoutes({ index, source }: FixRequest, instance: Declaration): TextEdit[] | null {
  const { served } = instance;
  if (served.some(({ file, definition }) => file !== instance.file || definition.kind !== 'function'))
    return null;
  const edits = served.flatMap((one) =>
    servingDecorators(index, instance, one).map(({ pathRange }) =>
      source.insert(source.offset(pathRange.end), routeOf(one)),
    ),
  );
  const isWhole = edits.length === served.length && effectiveName(instance) !== null;
  return isWhole && isFree(instance, served) ? edits : null;
}

/** Adds the queue-based functions to the instance that has their name. */
function joinInstance(
  { index, source }: FixRequest,
  instance: Declaration,
  queues: readonly Declaration[],
): TextEdit[] | null {
  const variable = variableOf(index.names, instance);
  const isBelow = queues.every(({ call }) => call.range.start.line > instance.call.range.end.line);
  const served = queues.flatMap((queue) => queue.served);
  if (variable === null || instance.scope !== 0 || !isBelow || !isFree(instance, served)) return null;
  const only = queues.every((queue) => otherArguments(source, queue).length === 0);
  return only && areFunctions(served) ? queues.map((queue) => decoratorEdit(queue, variable)) : null;
}

function newInstance(
  { index, source }: FixRequest,
  name: string,
  queues: readonly Declaration[],
): TextEdit[] | null {
  const [first] = queues;
  const served = queues.flatMap((queue) => queue.served);
  if (!first || queues.length < 2 || !areFunctions(served)) return null;
  const given = new Map([['name=', quoted(name)]]);
  for (const [before, value] of queues.flatMap((queue) => otherArguments(source, queue))) {
    // Different arguments cannot be merged.
    if ((given.get(before) ?? value) !== value || before.startsWith('*')) return null;
    given.set(before, value);
  }
  // One of them runs on a GPU, the other on a CPU.
  if (given.has('gpu=') && given.has('cpu=')) return null;
  const top = first.served[0]!.definition.decorators[0]!.range.start;
  const bindings = index.names.factsOf(first.file)?.scopes[0]?.bindings ?? {};
  const variable = ['api', 'app', 'service', 'endpoint'].find(
    (candidate) =>
      !new RegExp(String.raw`\b${candidate}\b`).test(source.text) && !Object.hasOwn(bindings, candidate),
  );
  if (!variable) return null;
  const endpoint = sdkName(index, source, first, 'Endpoint');
  if (!endpoint) return null;
  const written = [...given].map(([before, value]) => `${before}${value}`).join(', ');
  const statement = `${variable} = ${endpoint.name}(${written})${source.lineEnd.repeat(3)}`;
  return [
    source.insert(source.startOfLine(source.offset(top)), statement),
    ...queues.map((queue) => decoratorEdit(queue, variable)),
  ];
}

function decoratorEdit({ call, served }: Declaration, variable: string): TextEdit {
  return { range: call.range, newText: `${variable}${routeOf(served[0]!)}` };
}

function routeOf({ definition }: ServedDefinition): string {
  return `.post(${quoted(`/${definition.name}`)})`;
}

/** Whether the instance has none of the new routes. */
function isFree({ routes }: Declaration, served: readonly ServedDefinition[]): boolean {
  const names = new Set(served.map(({ definition }) => definition.name));
  return (
    names.size === served.length &&
    routes.every(
      ({ path, method }) => method !== 'POST' || path.state !== 'known' || !names.has(path.value.slice(1)),
    )
  );
}

function areFunctions(served: readonly ServedDefinition[]): boolean {
  const names = new Set(served.map(({ definition }) => definition.name));
  return (
    names.size === served.length &&
    served.every(({ definition }) => definition.kind === 'function' && definition.scope === 0)
  );
}
