/**
 * One file's facts → uses of `Endpoint` that cannot be read as a declaration. They are reported, so that no
 * endpoint is lost silently.
 */
import type { Range } from '../../contract/diagnostic.ts';
import type { Call } from '../binder/Expression.ts';
import type { ClassUse, FileFacts } from '../binder/FileFacts.ts';
import { isRun } from '../binder/reach.ts';
import { comparePositions } from '../syntax/range.ts';
import { derivedEndpoints } from './derivedEndpoints.ts';
import type { EndpointNames } from './EndpointNames.ts';
import { inFunction } from './endpointsInFunctions.ts';
import { functionAround } from './functionAround.ts';
import type { Misuse } from './Misuse.ts';
import { moduleCalls } from './moduleCalls.ts';
import { returnedEndpoints } from './returnedEndpoints.ts';
import { leadsOfFile } from './scopeLeads.ts';

const CLASS_USES = {
  value: {
    message:
      '`Endpoint` is passed around as a value here, so endpoints that are declared through it are not found.',
    fix: 'Call Endpoint by its own name, or by an alias such as E = Endpoint.',
  },
  getattr: {
    message:
      '`Endpoint` is looked up with getattr here, so endpoints that are declared through it are not found.',
    fix: 'Import it with "from toolkit_sdk import Endpoint".',
  },
  import: {
    message:
      'toolkit_sdk is imported dynamically here, so endpoints that are declared through it are not found.',
    fix: 'Import it with "from toolkit_sdk import Endpoint".',
  },
} as const;

/** A use of a dotted name. */
type Use = Pick<ClassUse, 'path' | 'scope' | 'range'>;

/**
 * Finds routes and instances that do not decorate anything, values that are passed around, and other
 * endpoints that cannot be found.
 */
export function findMisuses(facts: FileFacts, names: EndpointNames): Misuse[] {
  const { file, looseRoutes, looseCalls } = facts;
  const leads = leadsOfFile(facts, names.names.modules);
  const called = moduleCalls(facts, names);
  const routes = looseRoutes.map(({ call, scope }) => ({ call, scope, path: call.callee.slice(0, -1) }));
  const calls = [...looseCalls, ...leads.calls];
  const calledInstances = calls.map(({ call, scope }) => ({ call, scope, path: call.callee }));
  return [
    ...[...routes, ...calledInstances].flatMap(({ call, scope, path }) =>
      hasInstances(names, file, { path, scope, range: call.range }) ? [lostIn(facts, scope, call, path)] : [],
    ),
    ...classUses(facts, names),
    ...derivedEndpoints(facts, called, names),
    ...returnedEndpoints(facts, called, names),
  ];
}

/**
 * Whether a path refers to an endpoint of a module where it is used, and not to a function of the same name.
 */
function hasInstances(index: EndpointNames, file: string, { path, scope, range }: Use): boolean {
  const factsOf = (site: { file: string }) => index.names.factsOf(site.file)!;
  const sites = index.callsOf(file, scope, path).filter((site) => !functionAround(factsOf(site), site.scope));
  if (sites.length === 0) return false;
  const runsLater = functionAround(factsOf({ file }), scope) !== null;
  return !index.names.resolve(file, scope, path).some((entity) => {
    if (entity.kind !== 'definition' || entity.definition.guard || entity.definition.conditional)
      return false;
    const { nameRange, scope: inside } = entity.definition;
    const replaces = sites.every(
      (site) => site.file === entity.file && site.scope === inside && isBefore(site.call.range, nameRange),
    );
    return replaces && (runsLater || entity.file !== file || isBefore(nameRange, range));
  });
}

function isBefore(one: Range, other: Range): boolean {
  return comparePositions(one.start, other.start) < 0;
}

/**
 * The finding for a route or instance that does not decorate a function. Inside a function it is only a
 * warning, because the function may not be called.
 */
function lostIn(facts: FileFacts, scope: number, { callee, range }: Call, path: readonly string[]): Misuse {
  const isRoute = path.length < callee.length;
  const written = `@${callee.join('.')}${isRoute ? '(...)' : ''}`;
  const around = functionAround(facts, scope);
  const message = `${isRoute ? 'A route' : 'An endpoint'} is found only where it is written as a decorator, so this one would not be deployed.`;
  return {
    file: facts.file,
    range,
    ...(around ? inFunction('route', around.name) : { code: 'unsupported-form', message }),
    fix: `Write ${written} above the function.`,
  };
}

/** Uses that a worker does not run declare nothing, so they are not reported. */
function classUses(facts: FileFacts, names: EndpointNames): Misuse[] {
  const { file } = facts;
  return facts.classUses.flatMap((use): Misuse[] => {
    const { by, path, guard, range } = use;
    if (!isRun(guard)) return [];
    const place = { code: 'endpoint-as-value', file, range } as const;
    const ofClass = textsOfClass(use, facts, names);
    if (ofClass) return [{ ...place, ...ofClass }];
    if ((by !== 'value' && by !== 'route') || !hasInstances(names, file, use)) return [];
    const name = path.join('.');
    const message =
      by === 'value'
        ? `\`${name}\` is passed around as a value here, so routes that are added to it through another name are not found.`
        : `A route decorator of \`${name}\` is used as a value here, so routes that are added through it are not found.`;
    return [{ ...place, message, fix: `Add each route as a decorator, for example @${name}.get("/hello").` }];
  });
}

/** The texts for a use of the class itself; null for a use of something else. */
function textsOfClass({ by, path, scope }: ClassUse, { file }: FileFacts, names: EndpointNames) {
  if (by === 'route') return null;
  const isClass =
    by === 'value'
      ? names.isEndpointClass(file, scope, path)
      : by === 'import' || names.isSdkPackage(file, scope, path);
  return isClass ? CLASS_USES[by] : null;
}
