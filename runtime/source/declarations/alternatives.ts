/** Declarations and functions in branches of which a run takes one: which of them count, and what they leave open. */
import { isDeepStrictEqual } from 'node:util';
import { areExclusive } from '../binder/reach.ts';
import {
  type Declaration,
  effectiveName,
  type RouteDeclaration,
  type ServedDefinition,
} from './Declaration.ts';
import { moduleOfFile } from './ModuleTable.ts';

/** The arguments that a deploy needs to know. */
const NEEDED = [
  'name',
  'gpu',
  'cpu',
  'workers',
  'idleTimeout',
  'dependencies',
  'env',
  'image',
  'gpuCount',
  'executionTimeout',
  'maxConcurrency',
] as const;

const DYNAMIC = { state: 'dynamic' } as const;

/** What differs from a declaration alone once the others of its project are known; nothing for most. */
export function alternatives(declarations: readonly Declaration[]): Map<Declaration, Partial<Declaration>> {
  const changes = new Map<Declaration, Partial<Declaration>>();
  const change = (one: Declaration, more: Partial<Declaration>) =>
    changes.set(one, { ...changes.get(one), ...more });
  for (const one of declarations) {
    if (one.guard === 'elsewhere') change(one, { alternative: 'unused' });
    if (hasContest(one)) change(one, { contested: true });
  }
  const live = declarations.filter(({ guard, arms }) => guard !== 'elsewhere' && arms);
  // One endpoint has one name, or is what one decorator adds to.
  for (const keyOf of [effectiveName, firstPart]) {
    for (const [key, same] of Map.groupBy(live, keyOf))
      if (key !== null && same.length > 1) exclusiveGroups(same).forEach(settle);
  }
  return changes;

  function settle(group: readonly Declaration[]): void {
    const [first, ...others] = group.filter((one) => !isReplaced(one, group));
    for (const one of group) if (isReplaced(one, group)) change(one, { alternative: 'unused' });
    for (const one of others) change(one, { alternative: 'possible' });
    const open = NEEDED.filter((key) => others.some((other) => !isDeepStrictEqual(other[key], first![key])));
    const isContested = others.some((other) => !isDeepStrictEqual(handlersOf(other), handlersOf(first!)));
    for (const one of [first!, ...others]) {
      for (const key of open) change(one, { [key]: DYNAMIC });
      if (isContested) change(one, { contested: true });
    }
  }
}

function firstPart({ served, routes }: Declaration): string | null {
  const [first] = [...routes, ...served];
  return first ? `${first.file}:${first.definition.nameRange.start.line}` : null;
}

/** Declarations that exclude each other, the first of each group in front. */
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

/** Whether it stands in a handler of a failed import, and what it replaces is there. */
function isReplaced({ guard }: Declaration, group: readonly Declaration[]): boolean {
  return guard === 'fallback' && group.some((other) => other.guard !== 'fallback');
}

/** Whether an instance may serve two functions in one place, each in a branch of its own. */
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

/** Without what a handler of a failed import adds again. */
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

/** Equal for routes that match the same requests: parameters of other names do. */
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
