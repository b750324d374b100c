/**
 * The bound segments of a file → the names whose uses count: those that may lead to the class `Endpoint` or to an
 * instance of it, those of imported packages, and those that no worker has.
 */
import { SDK_MODULE } from '../../contract/names.ts';
import { isStandardLibrary } from '../declarations/standardLibrary.ts';
import type { BoundSegment, ModuleName } from './BoundSegment.ts';
import type { BodyRead, ImportTarget, Scope } from './FileFacts.ts';

const CLASS = 'Endpoint';

/** Why the uses of a name count. */
export interface Wanted {
  /** It may be the class. */
  isClass: boolean;
  /** It may be the class or an instance, or lead to one. */
  leads: boolean;
  /** What the bodies of decorated definitions read of it counts. */
  isRead: boolean;
}

/** The names, each with why. */
export function wantedNames(
  segments: readonly BoundSegment[],
  absent: ReadonlyMap<string, unknown>,
): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  const want = (name: string, why: Partial<Wanted>) => {
    // In broken code an import may seem to name what is no name.
    if (!/^\w+$/u.test(name)) return;
    const known = wanted.get(name) ?? { isClass: false, leads: false, isRead: false };
    wanted.set(name, { ...known, ...why });
  };
  want(CLASS, { isClass: true, leads: true });
  const given: { name: string; from: string }[] = [];
  for (const { bindings, scopes } of segments) {
    for (const [at, scope] of [bindings, ...scopes.map((one) => one.bindings)].entries()) {
      for (const [name, bound] of Object.entries(scope)) {
        for (const binding of bound) {
          if (binding.kind === 'module' || binding.kind === 'member') {
            if (!isOfOthers(binding.target)) continue;
            const isClass = binding.kind === 'member' && binding.name === CLASS;
            want(name, {
              leads: true,
              ...(isClass && { isClass }),
              ...(at === 0 && isPackage(binding.target) && { isRead: true }),
            });
          } else if (binding.kind === 'value') {
            const { expression } = binding;
            if (expression.kind === 'call') given.push({ name, from: expression.call.callee[0]! });
            if (expression.kind === 'reference') given.push({ name, from: expression.path[0]! });
          }
        }
      }
    }
    for (const scope of scopes) given.push(...membersOf(scope));
  }
  for (const name of absent.keys()) want(name, { isRead: true });
  for (let before = -1; before !== wanted.size; ) {
    before = wanted.size;
    for (const { name, from } of given)
      if (wanted.get(from)?.leads && !wanted.get(name)?.leads) want(name, { leads: true });
  }
  return wanted;
}

/** What a class binds can be reached by the class's name. */
function membersOf({ kind, name, bindings }: Scope): { name: string; from: string }[] {
  if (kind !== 'class') return [];
  return Object.keys(bindings).map((member) => ({ name: name.split('.').at(-1)!, from: member }));
}

function isOfOthers({ folder, module }: ImportTarget): boolean {
  return folder !== null || !isStandardLibrary(module);
}

/** Not toolkit_sdk, which every worker has. */
function isPackage({ folder, module }: ImportTarget): boolean {
  return folder !== null || module.split('.', 1)[0] !== SDK_MODULE;
}

/** Names whose uses count now for other reasons than before. */
export function changedNames(
  before: ReadonlyMap<string, Wanted>,
  now: ReadonlyMap<string, Wanted>,
): Set<string> {
  const changed = new Set<string>();
  for (const name of new Set([...before.keys(), ...now.keys()])) {
    const [a, b] = [before.get(name), now.get(name)];
    if (a?.isClass !== b?.isClass || a?.leads !== b?.leads || a?.isRead !== b?.isRead) changed.add(name);
  }
  return changed;
}

/** Names that the module's text binds and no worker has when it calls a function, with the place that says so. */
export function absentNames(segments: readonly BoundSegment[]): Map<string, NonNullable<BodyRead['absent']>> {
  const absent = new Map<string, NonNullable<BodyRead['absent']>>();
  if (segments.some(({ bindsUnseen }) => bindsUnseen)) return absent;
  const end = segments.findIndex(({ exit }) => exit !== null);
  const all = segments.flatMap(({ moduleNames }, at) =>
    end !== -1 && at > end ? moduleNames.flatMap(pastExit) : moduleNames,
  );
  const lacking = new Set(all.flatMap(({ name, absence }) => (absence === null ? [] : [name])));
  if (lacking.size === 0 || isOpen(segments)) return absent;
  const places = Map.groupBy(
    all.filter(({ name }) => lacking.has(name)),
    ({ name }) => name,
  );
  for (const [name, found] of places) {
    const lack = absenceOf(found);
    if (lack?.absence) absent.set(name, { by: lack.absence, range: lack.range });
  }
  return absent;
}

/** A star import may bind any name. */
function isOpen(segments: readonly BoundSegment[]): boolean {
  return segments.some(({ imports }) =>
    imports.some(
      ({ names, scope, guard }) =>
        scope === 0 && names?.[0] === '*' && guard !== 'main' && guard !== 'type-checking',
    ),
  );
}

function pastExit(name: ModuleName): ModuleName[] {
  if (name.isLater) return [name];
  return name.absence === 'deleted' ? [] : [{ ...name, absence: 'exit' }];
}

/** The place that a finding names: the last `del`, or the first of bindings that are all lost. */
function absenceOf(places: readonly ModuleName[]): ModuleName | null {
  if (places.some(({ isLater }) => isLater)) return null;
  const last = places.findLast(({ absence }) => absence === null || absence === 'deleted');
  if (last?.absence === null) return null;
  return last ?? places[0] ?? null;
}
