/** One file's facts → uses of `Endpoint` that nothing could make a declaration of, so that none is lost silently. */
import type { Range, RelatedLocation } from '../../contract/diagnostic.ts';
import type { ClassUse, FileFacts } from '../binder/FileFacts.ts';
import type { EndpointNames } from './EndpointNames.ts';
import { leadsOfFile } from './scopeLeads.ts';

/** A use of `Endpoint` that no worker could serve. */
export interface Misuse {
  file: string;
  range: Range;
  message: string;
  fix: string;
  related?: RelatedLocation[];
}

const USES: Record<ClassUse['by'], { message: string; fix: string }> = {
  value: {
    message:
      'Endpoint goes on as a value here, and what is declared through it cannot be read without running it.',
    fix: 'Call Endpoint by its own name, or by an alias such as E = Endpoint.',
  },
  getattr: {
    message: 'Endpoint is looked up by a text here, so what is declared through it cannot be read.',
    fix: 'Write from toolkit_sdk import Endpoint.',
  },
  import: {
    message: 'toolkit_sdk is imported by a text here, so what is declared through it cannot be read.',
    fix: 'Write from toolkit_sdk import Endpoint.',
  },
};

const SHARED_ARGUMENTS =
  'Call Endpoint itself, with shared arguments as **SETTINGS from a dict of the module.';

/**
 * Classes derived from `Endpoint`, partials of it, routes that decorate nothing, instances that are called, and the
 * class handed on as a value.
 */
export function findMisuses(facts: FileFacts, names: EndpointNames): Misuse[] {
  return [
    ...subclasses(facts, names),
    ...partials(facts, names),
    ...looseRoutes(facts, names),
    ...calledInstances(facts, names),
    ...classUses(facts, names),
  ];
}

function subclasses({ file, definitions }: FileFacts, names: EndpointNames): Misuse[] {
  return definitions.flatMap(({ bases, scope }) =>
    bases
      .filter(({ path }) => names.isEndpointClass(file, scope, path))
      .map(({ range }) => ({
        file,
        range,
        message: 'Declarations by a class derived from Endpoint cannot be read without running it.',
        fix: SHARED_ARGUMENTS,
      })),
  );
}

function partials(facts: FileFacts, names: EndpointNames): Misuse[] {
  const { file } = facts;
  return leadsOfFile(facts, names.names.modules).partials.flatMap(({ call, scope }) => {
    const first = call.arguments[0]?.value;
    if (first?.kind !== 'reference' || !names.isEndpointClass(file, scope, first.path)) return [];
    return [
      {
        file,
        range: call.range,
        message: 'Declarations by a partial of Endpoint cannot be read without running it.',
        fix: SHARED_ARGUMENTS,
      },
    ];
  });
}

/** Only a decorator on a function says what a route runs. */
function looseRoutes({ file, looseRoutes: calls }: FileFacts, names: EndpointNames): Misuse[] {
  return calls
    .filter(({ call, scope }) => names.callsOf(file, scope, call.callee.slice(0, -1)).length > 0)
    .map(({ call }) => ({
      file,
      range: call.range,
      message: 'A route is read only where it decorates a function, so this one would be lost.',
      fix: `Write @${call.callee.join('.')}(...) above the function that it runs.`,
    }));
}

function calledInstances(facts: FileFacts, names: EndpointNames): Misuse[] {
  const { file, looseCalls } = facts;
  return [...looseCalls, ...leadsOfFile(facts, names.names.modules).calls]
    .filter(({ call, scope }) => names.callsOf(file, scope, call.callee).length > 0)
    .map(({ call }) => ({
      file,
      range: call.range,
      message: 'A declaration is read only where it decorates a function, so this one would be lost.',
      fix: `Write @${call.callee.join('.')} above the function that it serves.`,
    }));
}

/** What a worker does not run declares nothing. */
function classUses({ file, classUses: uses }: FileFacts, names: EndpointNames): Misuse[] {
  return uses
    .filter(({ by, path, scope, guard }) => {
      if (guard === 'main' || guard === 'type-checking') return false;
      if (by === 'value') return names.isEndpointClass(file, scope, path);
      return by === 'import' || names.isSdkPackage(file, scope, path);
    })
    .map(({ by, range }) => ({ file, range, ...USES[by] }));
}
