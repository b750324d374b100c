/** The bound segments of a file → the facts of the file. */
import { isDeepStrictEqual } from 'node:util';
import type { Steps } from '../steps.ts';
import { fileFault } from '../syntax/findFault.ts';
import type { BoundSegment } from './BoundSegment.ts';
import { addBindings, bindingsOf } from './bindings.ts';
import { isChange, withChanges } from './changedValues.ts';
import { decideNames } from './decideNames.ts';
import { exportedNames } from './exportedTexts.ts';
import type { Binding, BodyRead, FileFacts, Scope } from './FileFacts.ts';
import { moduleExit } from './moduleExit.ts';
import { absentNames, type Wanted, wantedNames } from './wantedNames.ts';

/** The context that the segments of a module share. */
export interface ModuleContext {
  module: Scope;
  /** Names whose values are changed in place by a statement of the module. */
  changed: ReadonlySet<string>;
  exit: FileFacts['exit'];
  /** Names that no worker has. */
  absent: ReadonlyMap<string, NonNullable<BodyRead['absent']>>;
  wanted: ReadonlyMap<string, Wanted>;
}

export function* moduleContext(segments: readonly BoundSegment[]): Steps<ModuleContext> {
  const { module, changed } = yield* moduleScope(segments);
  const exit = moduleExit(
    segments.map((one) => one.exit),
    module,
  );
  yield;
  const absent = absentNames(segments, exit);
  yield;
  return {
    module,
    changed,
    exit,
    absent,
    wanted: wantedNames(segments, module, absent),
  };
}

/** Whether two bound segments contribute the same context to the other segments of their module. */
export function hasSameContext(a: BoundSegment, b: BoundSegment): boolean {
  return a === b || isDeepStrictEqual(contextOf(a), contextOf(b));
}

function contextOf({
  at,
  bindings,
  stars,
  mutated,
  imports,
  exit,
  moduleNames,
  perhapsChanged,
  leads,
  bindsUnseen,
}: BoundSegment) {
  return { at, bindings, stars, mutated, imports, exit, moduleNames, perhapsChanged, leads, bindsUnseen };
}

export function joinFacts(
  file: string,
  segments: readonly BoundSegment[],
  { module, changed, exit, absent }: ModuleContext,
): FileFacts {
  const given = segments.flatMap(({ moduleNames }) => moduleNames.filter(({ overwrites }) => overwrites));
  const takesClass = segments.some((segment) => segment.takesClass);
  const changes = segments.flatMap(({ uses }) => uses.changes);
  const facts: FileFacts = {
    file,
    mentionsSdk: segments.some(({ mentionsSdk }) => mentionsSdk),
    dependsOnVersion: segments.some(({ dependsOnVersion }) => dependsOnVersion),
    imports: segments.flatMap(({ imports }) => imports),
    // Properties are compared in this order: definitions differ more often than scopes.
    definitions: segments.flatMap(({ definitions }) => definitions),
    scopes: [withChanges(module, changed, changes), ...segments.flatMap(({ scopes }) => scopes)],
    leads: {
      imported: segments.flatMap(({ leads }) => leads.imported),
      given: segments.flatMap(({ leads }) => leads.given),
      called: segments.flatMap(({ leads }) => leads.called),
    },
    looseCalls: segments.flatMap(({ uses }) => uses.looseCalls),
    looseRoutes: segments.flatMap(({ uses }) => uses.looseRoutes),
    classUses: segments.flatMap(({ uses }) =>
      uses.classUses.filter(({ by }) => by !== 'import' || takesClass),
    ),
    overwritten: given
      .filter(({ name }) => bindingsOf(module.bindings, name).some(({ kind }) => kind === 'definition'))
      .map(({ name, range }) => ({ name, range })),
    reads: segments.flatMap(({ uses }) =>
      uses.reads.map((read) => ({ ...read, absent: absent.get(read.path[0]!) ?? null })),
    ),
    loads: [...new Set(segments.flatMap(({ uses }) => uses.loads))],
    exported: exportedNames(
      segments.flatMap(({ exported }) => exported),
      module,
    ),
    exit,
    bindsUnseen: segments.some(({ bindsUnseen }) => bindsUnseen),
    ignores: segments.flatMap(({ ignores }) => ignores),
    fault: fileFault(segments.flatMap(({ fault }) => fault ?? [])),
  };
  return segments.some(({ testsNames }) => testsNames) ? decideNames(facts) : facts;
}

function* moduleScope(segments: readonly BoundSegment[]): Steps<Pick<ModuleContext, 'module' | 'changed'>> {
  const bindings: Scope['bindings'] = {};
  const changed = new Set<string>();
  const add = (name: string, added: readonly Binding[]) => {
    addBindings(bindings, name, added);
    if (added.some(isChange)) changed.add(name);
  };
  for (const segment of segments) {
    yield;
    for (const name of segment.mutated) if (Object.hasOwn(bindings, name)) add(name, [{ kind: 'changed' }]);
    for (const [name, added] of Object.entries(segment.bindings)) add(name, added);
  }
  const stars = segments.flatMap((segment) => segment.stars);
  return { module: { kind: 'module', name: '', parent: null, bindings, stars }, changed };
}
