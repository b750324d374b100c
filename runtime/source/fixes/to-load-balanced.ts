/** Makes routes of one load-balanced endpoint of queue-based functions that share a name. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { type Declaration, effectiveName, type ServedDefinition } from '../declarations/Declaration.ts';
import { variableOf } from '../declarations/variableOf.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import { quoted } from './callArguments.ts';
import { type Fix, type Fixer, fixIn, type TextEdit } from './Fix.ts';
import { contains, isSame } from './findPlace.ts';
import { SourceText } from './SourceText.ts';
import { sdkName } from './sdkName.ts';

export const toLoadBalanced: Fixer = (project, found) => {
  const source = SourceText.of(project, found.file);
  if (!source) return [];
  const shared = sharedInstance(project, found);
  if (shared) return asRoutes(project, source, shared);
  const name = nameAt(project, found);
  if (name === null) return [];
  const all = project.index.declarations.filter((other) => effectiveName(other) === name);
  // Functions of several files would need imports of each other at their tops.
  if (all.some(({ file, guard }) => file !== found.file || guard !== null)) return [];
  const queues = all.filter(({ form, served }) => form === 'decorator' && served.length === 1);
  const [instance, ...others] = all.filter(({ form }) => form === 'instance');
  if (queues.length + (instance ? 1 : 0) !== all.length || others.length > 0) return [];
  if (instance)
    return instance.kind === 'load-balanced' ? joinInstance(project, source, instance, queues) : [];
  return newInstance(project, source, name, queues);
};

/** `@queue` on several functions, or on one beside routes. */
function sharedInstance({ index }: ProjectView, found: Diagnostic): Declaration | null {
  const here = index.declarations.find(
    ({ form, served, routes }) =>
      form === 'instance' &&
      served.length + Math.min(1, routes.length) > 1 &&
      served.some(({ file, definition }) => file === found.file && isSame(definition.nameRange, found.range)),
  );
  return here ?? null;
}

function nameAt({ index }: ProjectView, found: Diagnostic): string | null {
  const here = index.declarations.find(
    ({ file, form, call, served }) =>
      form === 'decorator' &&
      file === found.file &&
      (contains(call.range, found.range) ||
        served.some(({ definition }) => isSame(definition.nameRange, found.range))),
  );
  const instance = index.declarations.find(
    ({ file, call }) => file === found.file && contains(call.range, found.range),
  );
  const declaration = here ?? instance;
  return declaration ? effectiveName(declaration) : null;
}

function asRoutes({ index }: ProjectView, source: SourceText, instance: Declaration): Fix[] {
  if (
    instance.served.some(({ file, definition }) => file !== instance.file || definition.kind !== 'function')
  )
    return [];
  const edits = instance.served.flatMap((served) => {
    const decorators = served.definition.decorators.filter(
      ({ path, call }) =>
        path && !call && index.instancesOf(served.file, served.definition.scope, path).includes(instance),
    );
    return decorators.map(({ pathRange }) => source.insert(source.offset(pathRange.end), routeOf(served)));
  });
  if (edits.length !== instance.served.length || !isFree(instance, instance.served)) return [];
  if (effectiveName(instance) === null) return [];
  return [fixFor(instance, edits)];
}

/** The queue-based functions go to the instance that has their name. */
function joinInstance(
  { index }: ProjectView,
  source: SourceText,
  instance: Declaration,
  queues: readonly Declaration[],
): Fix[] {
  const variable = variableOf(index.names, instance);
  const isBelow = queues.every(({ call }) => call.range.start.line > instance.call.range.end.line);
  const served = queues.flatMap((queue) => queue.served);
  if (variable === null || instance.scope !== 0 || !isBelow || !isFree(instance, served)) return [];
  const only = queues.every(({ call }) => argumentTexts(source, call).size === 0);
  if (!only || !areFunctions(served)) return [];
  return [
    fixFor(
      instance,
      queues.map((queue) => decoratorEdit(source, queue, variable)),
    ),
  ];
}

function newInstance(
  { index }: ProjectView,
  source: SourceText,
  name: string,
  queues: readonly Declaration[],
): Fix[] {
  const [first] = queues;
  const served = queues.flatMap((queue) => queue.served);
  if (!first || queues.length < 2 || !areFunctions(served)) return [];
  const texts = new Map<string, string>();
  for (const { call } of queues) {
    for (const [keyword, text] of argumentTexts(source, call)) {
      // Two machines cannot become one.
      if ((texts.get(keyword) ?? text) !== text || keyword.startsWith('*')) return [];
      texts.set(keyword, text);
    }
  }
  const top = first.served[0]!.definition.decorators[0]!.range.start;
  const bindings = index.names.factsOf(first.file)?.scopes[0]?.bindings ?? {};
  const variable = ['api', 'app', 'service', 'endpoint'].find(
    (candidate) =>
      !new RegExp(String.raw`\b${candidate}\b`).test(source.text) && !Object.hasOwn(bindings, candidate),
  );
  if (!variable) return [];
  const given = [`name=${quoted(name)}`, ...[...texts].map(([keyword, text]) => `${keyword}=${text}`)];
  const endpoint = sdkName(index, source, first, 'Endpoint');
  if (!endpoint) return [];
  const { lineEnd } = source;
  const statement = `${variable} = ${endpoint.name}(${given.join(', ')})${lineEnd}${lineEnd}${lineEnd}`;
  const edits = [
    source.insert(source.startOfLine(source.offset(top)), statement),
    ...queues.map((queue) => decoratorEdit(source, queue, variable)),
  ];
  return [fixFor(first, edits)];
}

function decoratorEdit(source: SourceText, { call, served }: Declaration, variable: string): TextEdit {
  const { start, end } = call.range;
  return source.edit(source.offset(start), source.offset(end), `${variable}${routeOf(served[0]!)}`);
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

/** Source texts of the arguments but for the name. */
function argumentTexts(source: SourceText, call: Declaration['call']): Map<string, string> {
  return new Map(
    call.arguments
      .filter(({ keyword, spread }) => spread !== null || (keyword !== 'name' && keyword !== null))
      .map(({ keyword, spread, value }) => [keyword ?? spread!, source.slice(value.range)]),
  );
}

function fixFor({ file }: Declaration, edits: readonly TextEdit[]): Fix {
  return fixIn({ title: 'Make them routes of one load-balanced endpoint', file, edits });
}
