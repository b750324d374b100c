/**
 * The bound segments of a file → the names whose uses count: names that may lead to the class `Endpoint` or
 * to an instance of it, names of imported packages, names that no worker has, and names of lists and dicts,
 * which functions may change.
 */
import { SDK_MODULE } from '../../contract/names.ts';
import type { BoundSegment, ModuleName } from './BoundSegment.ts';
import { bindingsOf } from './bindings.ts';
import { mayChange } from './changedValues.ts';
import type { BodyRead, FileFacts, Leads, Scope } from './FileFacts.ts';
import { eitherGuard, isRun } from './reach.ts';
import { isStandardLibrary } from './standardLibrary.ts';

const CLASS = 'Endpoint';
/**
 * In broken code, an import may bind something that is not a name. Letters outside ASCII are part of names.
 */
const NAME = /^[\w\u0080-\uffff]+$/;

/** Why the uses of a name count. */
export interface Wanted {
  /** Whether the name may be the class `Endpoint` or an instance, or lead to one. */
  leads: boolean;
  /** Whether reads of the name in the bodies of decorated definitions count. */
  isRead: boolean;
}

/** The wanted names, each with the reason. */
export function wantedNames(
  segments: readonly BoundSegment[],
  module: Scope,
  absent: ReadonlyMap<string, unknown>,
): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  const want = (name: string, leads: boolean, isRead: boolean) => {
    if (!NAME.test(name)) return;
    const known = wanted.get(name);
    wanted.set(name, {
      leads: leads || (known?.leads ?? false),
      isRead: isRead || (known?.isRead ?? false),
    });
  };
  want(CLASS, true, false);
  for (const { name, target, isOfModule } of segments.flatMap(({ leads }) => leads.imported)) {
    const { folder, module } = target;
    if (folder === null && isStandardLibrary(module)) continue;
    // Every worker has toolkit_sdk.
    const isPackage = folder !== null || module.split('.', 1)[0] !== SDK_MODULE;
    want(name, true, isOfModule && isPackage);
  }
  for (const name of absent.keys()) want(name, false, true);
  for (const name of segments.flatMap(({ perhapsChanged }) => perhapsChanged))
    if (bindingsOf(module.bindings, name).some(mayChange)) want(name, false, false);
  const given = Map.groupBy(
    segments.flatMap(({ leads }) => leads.given),
    ({ from }) => from,
  );
  const waiting = [...wanted].filter(([, { leads }]) => leads).map(([name]) => name);
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    for (const { name } of given.get(from) ?? []) {
      if (wanted.get(name)?.leads) continue;
      want(name, true, false);
      if (wanted.has(name)) waiting.push(name);
    }
  }
  return wanted;
}

/**
 * Finds what is assigned to the names in a segment's scopes.
 *
 * @param first - The number of the first scope inside the module's scope.
 */
export function leadsOf(module: Scope, scopes: readonly Scope[], first: number): Leads {
  const leads: Leads = { imported: [], given: [], called: [] };
  for (const [at, scope] of [module, ...scopes].entries()) {
    for (const [name, bound] of Object.entries(scope.bindings)) {
      if (bound.some((binding) => binding.kind === 'value' && binding.expression.kind === 'call'))
        leads.called.push({ name, scope: at === 0 ? 0 : first + at - 1 });
      // A name that a class binds can be reached through the name of the class.
      if (scope.kind === 'class') leads.given.push({ name: scope.name.split('.').at(-1)!, from: name });
      for (const binding of bound) {
        if (binding.kind === 'module' || binding.kind === 'member') {
          leads.imported.push({ name, target: binding.target, isOfModule: scope === module });
        } else if (binding.kind === 'value') {
          const { expression } = binding;
          if (expression.kind === 'call') leads.given.push({ name, from: expression.call.callee[0]! });
          if (expression.kind === 'reference') leads.given.push({ name, from: expression.path[0]! });
        }
      }
    }
  }
  return leads;
}

/** Names whose uses count for different reasons than before. */
export function changedNames(
  before: ReadonlyMap<string, Wanted> | undefined,
  now: ReadonlyMap<string, Wanted>,
): Set<string> {
  const changed = new Set<string>();
  if (before === now || !before) return changed;
  for (const name of new Set([...before.keys(), ...now.keys()])) {
    const [a, b] = [before.get(name), now.get(name)];
    if (a?.leads !== b?.leads || a?.isRead !== b?.isRead) changed.add(name);
  }
  return changed;
}

/**
 * Names that the text of the module binds but that no worker has when it calls a function, with the range
 * that shows the reason.
 */
export function absentNames(
  segments: readonly BoundSegment[],
  exit: FileFacts['exit'],
): Map<string, NonNullable<BodyRead['absent']>> {
  const absent = new Map<string, NonNullable<BodyRead['absent']>>();
  if (segments.some(({ bindsUnseen }) => bindsUnseen)) return absent;
  const end = exit?.range.start.line ?? Number.MAX_SAFE_INTEGER;
  const all = segments.flatMap(({ moduleNames }) =>
    moduleNames.flatMap((one) => (one.range.start.line > end ? pastExit(one) : [one])),
  );
  const lacking = new Set(all.filter(({ absence }) => absence !== null).map(({ name }) => name));
  if (lacking.size === 0 || isOpen(segments)) return absent;
  const places = Map.groupBy(
    all.filter(({ name }) => lacking.has(name)),
    ({ name }) => name,
  );
  for (const [name, found] of places) {
    const lack = absenceOf(found);
    if (!lack?.absence) continue;
    const guards = found.map(({ absence, guard }) => (absence === 'elsewhere' ? guard : 'elsewhere'));
    absent.set(name, { by: lack.absence, range: lack.range, guard: guards.reduce(eitherGuard) });
  }
  return absent;
}

/** Whether a star import may bind any name. */
function isOpen(segments: readonly BoundSegment[]): boolean {
  return segments.some(({ imports }) =>
    imports.some(({ names, scope, guard }) => scope === 0 && names?.[0] === '*' && isRun(guard)),
  );
}

function pastExit(name: ModuleName): ModuleName[] {
  if (name.isLater) return [name];
  return name.absence === 'deleted' ? [] : [{ ...name, absence: 'exit' }];
}

/** The use that a finding reports: the last `del`, or the first binding if all of them are absent. */
function absenceOf(places: readonly ModuleName[]): ModuleName | null {
  if (places.some(({ isLater }) => isLater)) return null;
  const last = places.findLast(({ absence }) => absence === null || absence === 'deleted');
  if (last?.absence === null) return null;
  return last ?? places[0] ?? null;
}
