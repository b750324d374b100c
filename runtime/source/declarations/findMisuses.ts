/** One file's facts → uses of `Endpoint` that nothing could make a declaration of, so that none is lost silently. */
import type { Range, RelatedLocation } from '../../contract/diagnostic.ts';
import type { ClassUse, FileFacts } from '../binder/FileFacts.ts';
import type { Declaration } from './Declaration.ts';
import { functionAround, inFunction } from './endpointsInFunctions.ts';
import type { NameResolver } from './NameResolver.ts';
import { leadsOfFile } from './scopeLeads.ts';

/** A use of `Endpoint` that no worker could serve. */
export interface Misuse {
  code: 'unsupported-form' | 'endpoint-in-function' | 'endpoint-as-value';
  file: string;
  range: Range;
  message: string;
  fix: string;
  related?: RelatedLocation[];
}

/** What the project's index tells of names. */
export interface Names {
  readonly names: NameResolver;
  isEndpointClass(file: string, scope: number, path: readonly string[]): boolean;
  isSdkPackage(file: string, scope: number, path: readonly string[]): boolean;
  instancesOf(file: string, scope: number, path: readonly string[]): readonly Declaration[];
}

const USES: Record<ClassUse['by'], { message: string; fix: string }> = {
  value: {
    message: '`Endpoint` is passed on as a value here, and what is declared through it is not found.',
    fix: 'Call Endpoint by its own name, or by an alias such as E = Endpoint.',
  },
  getattr: {
    message: '`Endpoint` is looked up by a text here, and what is declared through it is not found.',
    fix: 'Write from toolkit_sdk import Endpoint.',
  },
  import: {
    message: 'toolkit_sdk is imported by a text here, and what is declared through it is not found.',
    fix: 'Write from toolkit_sdk import Endpoint.',
  },
};

/** Routes that decorate nothing, instances that are called, and the class passed on as a value. */
export function findMisuses(facts: FileFacts, names: Names): Misuse[] {
  return [...looseRoutes(facts, names), ...calledInstances(facts, names), ...classUses(facts, names)];
}

/** Only a decorator on a function says what a route runs. */
function looseRoutes(facts: FileFacts, names: Names): Misuse[] {
  const { file, looseRoutes: calls } = facts;
  return calls
    .filter(({ call, scope }) => hasInstances(names, file, scope, call.callee.slice(0, -1)))
    .map(({ call, scope }) => ({
      file,
      range: call.range,
      ...lostIn(
        facts,
        scope,
        'A route is read only where it decorates a function, so this one would be lost.',
      ),
      fix: `Write @${call.callee.join('.')}(...) above the function that it runs.`,
    }));
}

function calledInstances(facts: FileFacts, names: Names): Misuse[] {
  const { file, looseCalls } = facts;
  return [...looseCalls, ...leadsOfFile(facts, names.names.modules).calls]
    .filter(({ call, scope }) => hasInstances(names, file, scope, call.callee))
    .map(({ call, scope }) => ({
      file,
      range: call.range,
      ...lostIn(
        facts,
        scope,
        'A declaration is read only where it decorates a function, so this one would be lost.',
      ),
      fix: `Write @${call.callee.join('.')} above the function that it serves.`,
    }));
}

/** Whether a path stands for an endpoint of a module. */
function hasInstances(index: Names, file: string, scope: number, path: readonly string[]): boolean {
  return index
    .instancesOf(file, scope, path)
    .some((instance) => !functionAround(index.names.factsOf(instance.file)!, instance.scope));
}

/** A function may never be called, so what it does is not certain to be lost. */
function lostIn(facts: FileFacts, scope: number, message: string): Pick<Misuse, 'code' | 'message'> {
  const around = functionAround(facts, scope);
  return around ? inFunction('route', around.name) : { code: 'unsupported-form', message };
}

/** What a worker does not run declares nothing. */
function classUses({ file, classUses: uses }: FileFacts, names: Names): Misuse[] {
  return uses
    .filter(({ by, path, scope, guard }) => {
      if (guard === 'main' || guard === 'type-checking') return false;
      if (by === 'value') return names.isEndpointClass(file, scope, path);
      return by === 'import' || names.isSdkPackage(file, scope, path);
    })
    .map(({ by, range }) => ({ code: 'endpoint-as-value', file, range, ...USES[by] }));
}
