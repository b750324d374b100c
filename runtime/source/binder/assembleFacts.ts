/** The fragments of a file, each at its place → the facts of the file. */
import { isDeepStrictEqual } from 'node:util';
import { fileFault } from '../syntax/findFault.ts';
import { absentNames, namesThatMatter } from './bodyReads.ts';
import type { BodyRead, FileFacts, Scope } from './FileFacts.ts';
import type { Fragment } from './Fragment.ts';
import { namesPastExit } from './moduleNames.ts';

/** What statements of a module, taken together, mean for the bodies of its functions. */
export interface ModuleContext {
  module: Scope;
  imports: FileFacts['imports'];
  exit: FileFacts['exit'];
  /** Names that no worker has. */
  absent: ReadonlyMap<string, BodyRead['absent']>;
  /** Names whose reads matter. */
  matter: ReadonlySet<string>;
}

/** Puts together what the reading of bodies needs. */
export function moduleContext(fragments: readonly Fragment[]): ModuleContext {
  const module = moduleScope(fragments);
  const imports = fragments.flatMap((fragment) => fragment.imports);
  const exitIndex = fragments.findIndex(({ exit }) => exit !== null);
  const exit = fragments[exitIndex]?.exit ?? null;
  const isDecorated = fragments.some(({ definitions }) =>
    definitions.some(({ decorators }) => decorators.length > 0),
  );
  if (!isDecorated) return { module, imports, exit, absent: new Map(), matter: new Set() };
  const texts = fragments.map(({ body }, index) =>
    exit && index > exitIndex ? { ...body, names: namesPastExit(body.names) } : body,
  );
  const absent = absentNames(texts, imports);
  return { module, imports, exit, absent, matter: namesThatMatter(absent, module) };
}

/** Whether two readings of a segment mean the same for the other segments' bodies. */
export function hasSameContext(a: Fragment, b: Fragment): boolean {
  return a === b || isDeepStrictEqual(contextOf(a), contextOf(b));
}

/** All that `moduleContext` takes from a fragment. */
function contextOf({ bindings, stars, changed, imports, exit, body, definitions }: Fragment) {
  const isDecorated = definitions.some(({ decorators }) => decorators.length > 0);
  return { bindings, stars, changed, imports, exit, isDecorated, body: { ...body, reads: null } };
}

/** Puts together everything. */
export function assembleFacts(
  file: string,
  fragments: readonly Fragment[],
  { module, imports, exit, absent }: ModuleContext,
): FileFacts {
  const definitions = fragments.flatMap((fragment) => fragment.definitions);
  const defined = new Set(definitions.filter(({ scope }) => scope === 0).map(({ name }) => name));
  const takesClass = fragments.some(({ words }) => words.takesClass);
  return {
    file,
    mentionsSdk: fragments.some(({ words }) => words.mentionsSdk),
    imports,
    scopes: [module, ...fragments.flatMap((fragment) => fragment.scopes)],
    definitions,
    looseCalls: fragments.flatMap((fragment) => fragment.looseCalls),
    looseRoutes: fragments.flatMap((fragment) => fragment.looseRoutes),
    classUses: fragments
      .flatMap((fragment) => fragment.classUses)
      .filter(({ by }) => by !== 'import' || takesClass),
    overwritten: fragments
      .flatMap((fragment) => fragment.overwriting)
      .filter(({ name }) => defined.has(name)),
    reads: fragments.flatMap(({ body }) =>
      body.reads.map((read) => ({ ...read, absent: absent.get(read.path[0]!) ?? null })),
    ),
    exit,
    ignores: fragments.flatMap((fragment) => fragment.ignores),
    fault: fileFault(fragments.flatMap(({ fault }) => fault ?? [])),
  };
}

function moduleScope(fragments: readonly Fragment[]): Scope {
  const bindings: Scope['bindings'] = {};
  const bind = (name: string, added: Scope['bindings'][string]) => {
    if (Object.hasOwn(bindings, name)) bindings[name]!.push(...added);
    else
      Object.defineProperty(bindings, name, {
        value: [...added],
        enumerable: true,
        configurable: true,
        writable: true,
      });
  };
  for (const fragment of fragments) {
    for (const name of fragment.changed) {
      if (Object.hasOwn(bindings, name)) bindings[name]!.push({ kind: 'opaque' });
    }
    for (const [name, added] of Object.entries(fragment.bindings)) bind(name, added);
  }
  const stars = fragments.flatMap((fragment) => fragment.stars);
  return { kind: 'module', name: '', parent: null, bindings, stars };
}
