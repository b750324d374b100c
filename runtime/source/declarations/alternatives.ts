/**
 * For declarations and functions in branches that exclude each other: decides which of them count, and which
 * values remain open.
 */
import { isDeepStrictEqual } from 'node:util';
import { DEFAULTS } from '../../contract/limits.ts';
import type { Binding } from '../binder/FileFacts.ts';
import { areExclusive } from '../binder/reach.ts';
import type { Outcome } from './argumentValues.ts';
import {
  type Declaration,
  effectiveName,
  type RouteDeclaration,
  type ServedDefinition,
} from './Declaration.ts';
import { moduleOfFile } from './ModuleTable.ts';
import type { FactsOf } from './NameResolver.ts';

/** The arguments that a deploy needs to know, with the default of each. */
const NEEDED = {
  name: effectiveName,
  gpu: () => ({ enum: 'GpuGroup', member: DEFAULTS.gpu }),
  cpu: () => null,
  workers: () => ({ min: DEFAULTS.workersMin, max: DEFAULTS.workersMax }),
  idleTimeout: () => DEFAULTS.idleTimeoutSeconds,
  dependencies: () => [],
  env: () => ({ env: {}, envFrom: {} }),
  image: () => null,
  gpuCount: () => null,
  executionTimeout: () => null,
  maxConcurrency: () => null,
} satisfies Partial<Record<keyof Declaration, (declaration: Declaration) => unknown>>;

type NeededKey = keyof typeof NEEDED;

const NEEDED_KEYS = Object.keys(NEEDED) as NeededKey[];

const DYNAMIC = { state: 'dynamic' } as const;

/**
 * Finds what changes in a declaration once all other declarations of the project are known; nothing for most
 * declarations.
 */
export function alternatives(
  declarations: readonly Declaration[],
  factsOf: FactsOf,
): Map<Declaration, Partial<Declaration>> {
  const changes = new Map<Declaration, Partial<Declaration>>();
  const change = (one: Declaration, more: Partial<Declaration>) =>
    changes.set(one, { ...changes.get(one), ...more });
  for (const one of declarations) {
    if (one.guard === 'elsewhere') change(one, { alternative: 'unused' });
    if (hasContest(one)) change(one, { contested: true });
  }
  const live = declarations.filter(({ guard, arms }) => guard !== 'elsewhere' && arms);
  // Declarations of one endpoint have the same name, or are bound to the same name in a module.
  for (const keyOf of [effectiveName, (one: Declaration) => boundName(one, factsOf)]) {
    for (const [key, same] of Map.groupBy(live, keyOf))
      if (key !== null && same.length > 1) exclusiveGroups(same).forEach(settle);
  }
  return changes;

  function settle(group: readonly Declaration[]): void {
    const [first, ...others] = group.filter((one) => !isReplaced(one, group));
    for (const one of group) if (isReplaced(one, group)) change(one, { alternative: 'unused' });
    for (const one of others) change(one, { alternative: 'possible' });
    const open = NEEDED_KEYS.filter((key) =>
      others.some((other) => !isDeepStrictEqual(withDefault(other, key), withDefault(first!, key))),
    );
    const isContested = others.some((other) => !isDeepStrictEqual(handlersOf(other), handlersOf(first!)));
    for (const one of [first!, ...others]) {
      for (const key of open) change(one, { [key]: DYNAMIC });
      if (isContested) change(one, { contested: true });
    }
  }
}

/** The outcome of an argument; its default if it is absent. */
export function withDefault(declaration: Declaration, key: NeededKey): Outcome<unknown> {
  const outcome = declaration[key];
  const value = outcome.state === 'absent' ? NEEDED[key](declaration) : null;
  return value === null ? outcome : { state: 'known', value };
}

/** The name of a function or instance in its scope. */
function boundName({ file, scope, form, call, served }: Declaration, factsOf: FactsOf): string | null {
  const bindings = Object.entries(factsOf(file)?.scopes[scope]?.bindings ?? {});
  const isCall = (bound: Binding) =>
    bound.kind === 'value' && bound.expression.kind === 'call' && bound.expression.call === call;
  const name =
    form === 'decorator' ? served[0]?.definition.name : bindings.find(([, bound]) => bound.some(isCall))?.[0];
  return name === undefined ? null : `${file}:${scope}:${name}`;
}

/** Groups of declarations that exclude each other, in order. */
function exclusiveGroups(same: readonly Declaration[]): Declaration[][] {
  const groups: Declaration[][] = [];
  for (const one of same) {
    const group = groups.find((others) =>
      others.every((other) => other.file === one.file && areExclusive(other, one)),
    );
    if (group) group.push(one);
    else groups.push([one]);
  }
  return groups;
}

/**
 * Whether a declaration is in a handler of a failed import, and the group contains a declaration that it
 * replaces.
 */
function isReplaced({ guard }: Declaration, group: readonly Declaration[]): boolean {
  return guard === 'fallback' && group.some((other) => other.guard !== 'fallback');
}

/** Whether an instance has different functions in different branches, for its queue or for one route. */
function hasContest({ kind, served, routes }: Declaration): boolean {
  const places = kind === 'queue' ? [served] : Map.groupBy(routes, routeShape).values();
  return [...places].some((same) =>
    same.some((one) => areOneOf(one, same[0]!) && handlerOf(one) !== handlerOf(same[0]!)),
  );
}

/** Whether two definitions are in branches that exclude each other. */
export function areOneOf(one: ServedDefinition, other: ServedDefinition): boolean {
  return one.file === other.file && areExclusive(one.definition, other.definition);
}

/** The parts, without those that a handler of a failed import adds again. */
export function withoutFallbacks<Part extends ServedDefinition>(
  parts: readonly Part[],
  shape: (part: Part) => string,
): Part[] {
  return parts.filter(
    (part) =>
      part.definition.guard !== 'fallback' ||
      !parts.some(
        (other) =>
          other.definition.guard !== 'fallback' && areOneOf(part, other) && shape(part) === shape(other),
      ),
  );
}

/** Equal for routes that match the same requests: the names of parameters do not matter. */
export function routeShape({ method, path }: RouteDeclaration): string {
  return `${method} ${path.state === 'known' ? path.value.replaceAll(/\{\w+/g, '{') : ''}`;
}

function handlersOf({ served, routes }: Declaration): string[] {
  return [
    ...served.map(handlerOf),
    ...routes.map((route) => `${routeShape(route)} ${handlerOf(route)}`).sort(),
  ];
}

function handlerOf({ file, definition }: ServedDefinition): string {
  return `${moduleOfFile(file)}:${definition.name}`;
}
