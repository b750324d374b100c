/**
 * The declarations of each file → the declarations of the project, each with everything that other files add
 * to it. Pure: equal files give an equal index, and parts that have not changed are the same objects as in
 * the previous index.
 */
import type { Endpoint } from '../../contract/endpoint.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import { comparePositions } from '../syntax/range.ts';
import { alternatives, routeShape, withoutFallbacks } from './alternatives.ts';
import type { Declaration } from './Declaration.ts';
import { effectiveName } from './Declaration.ts';
import { type FileDeclarations, siteKey } from './declareFile.ts';
import { EndpointNames } from './EndpointNames.ts';
import { endpointDocument } from './endpointDocument.ts';
import type { ModuleTable } from './ModuleTable.ts';
import { type FactsOf, NameResolver } from './NameResolver.ts';
import { type ServedBody, servedBodies } from './servedBodies.ts';
import type { MisplacedTable, Tables } from './tableDeclarations.ts';

interface IndexedProject {
  /** Sorted by file. */
  files: readonly FileDeclarations[];
  /** Declarations in pyproject.toml. */
  tables: Tables;
  modules: ModuleTable;
  /** Facts of any file in the project, for names that lead there. */
  factsOf: FactsOf;
  /** Names by which modules export the class `Endpoint`. */
  classNames: ReadonlySet<string>;
  /** Instances whose calls have moved since other files were read: old `siteKey` → new `siteKey`. */
  moved?: ReadonlyMap<string, string>;
}

const NONE: readonly never[] = [];

export class ProjectIndex {
  /** Facts of the files that may declare endpoints, sorted by file. */
  readonly files: readonly FileFacts[];
  readonly names: NameResolver;
  /** Sorted by file, then position. */
  readonly declarations: readonly Declaration[];
  /** Values in pyproject.toml where endpoints should be. */
  readonly misplacedTables: readonly MisplacedTable[];
  readonly project: IndexedProject;
  readonly #endpoints: EndpointNames;
  readonly #byFile: ReadonlyMap<string, FileDeclarations>;
  /** By `siteKey`. */
  readonly #instances: ReadonlyMap<string, Declaration>;
  /**
   * A declaration as read from its call → the same declaration with everything that others add to it or
   * change in it.
   */
  readonly #whole = new Map<Declaration, Declaration>();
  readonly #named: Groups;
  readonly #touching: Groups;
  /** By the declarations that touch a file. */
  readonly #bodies: WeakMap<readonly Declaration[], readonly ServedBody[]>;

  /** @param before - The previous index. */
  constructor(project: IndexedProject, before: ProjectIndex | null = null) {
    const { files, tables, modules, factsOf, classNames } = project;
    this.project = project;
    this.files = files.map(({ facts }) => facts);
    this.misplacedTables = tables.misplaced;
    this.#byFile = new Map(files.map((one) => [one.facts.file, one]));
    // Ranges in a declaration belong to the facts that the declaration was read from.
    this.names = new NameResolver(modules, factsIn(this.#byFile, factsOf));
    this.#endpoints = new EndpointNames(this.names, classNames);
    const assembled = this.#assemble(files, before);
    const decorated = files.flatMap((one) => one.decorated);
    const alone = [...assembled.values(), ...decorated, ...tables.declarations].sort(bySite);
    const changes = alternatives(alone, this.names.factsOf);
    const final = (one: Declaration) => this.#with(one, changes.get(one), before);
    this.#instances = new Map([...assembled].map(([key, one]) => [key, final(one)]));
    this.declarations = alone.map(final);
    // A group has not changed if no declaration has joined or left it.
    const changed = before
      ? new Set(this.declarations).symmetricDifference(new Set(before.declarations))
      : null;
    this.#named = grouped(this.declarations, namesOf, before ? before.#named : null, changed);
    this.#touching = grouped(this.declarations, filesOf, before ? before.#touching : null, changed);
    this.#bodies = before ? before.#bodies : new WeakMap();
  }

  /** The documents of all declarations. */
  endpoints(): Endpoint[] {
    return this.declarations.map((declaration) => endpointDocument(declaration, this.names));
  }

  /** The declarations in a file, without parts from other files; null for a file that is not in the index. */
  ofFile(file: string): FileDeclarations | null {
    return this.#byFile.get(file) ?? null;
  }

  /** Declarations with an endpoint's name in all files, without their alternatives. */
  named(name: string): readonly Declaration[] {
    return this.#named.get(name) ?? NONE;
  }

  /** Declarations in a file, and declarations that have a function or route in it. */
  touching(file: string): readonly Declaration[] {
    return this.#touching.get(file) ?? NONE;
  }

  /** Files that contain a declaration, or a function or route of one. */
  get touched(): Iterable<string> {
    return this.#touching.keys();
  }

  /** Definitions in a file whose bodies workers run. */
  bodiesIn(file: string): readonly ServedBody[] {
    const touching = this.touching(file);
    const bodies = this.#bodies.get(touching) ?? servedBodies(file, touching);
    this.#bodies.set(touching, bodies);
    return bodies;
  }

  /** Whether a path refers to the class `Endpoint`. */
  isEndpointClass(file: string, scope: number, path: readonly string[]): boolean {
    return this.#endpoints.isEndpointClass(file, scope, path);
  }

  /** The instances that a path refers to. */
  instancesOf(file: string, scope: number, path: readonly string[]): Declaration[] {
    const sites = this.#endpoints.callsOf(file, scope, path);
    return [...new Set(sites.flatMap((site) => this.#instances.get(siteKey(site)) ?? []))];
  }

  /** The instances of all files, each with its parts. */
  #assemble(files: readonly FileDeclarations[], before: ProjectIndex | null): Map<string, Declaration> {
    const instances = new Map<string, Declaration>();
    const parts = new Map<string, Pick<Declaration, 'served' | 'routes'>>();
    for (const { facts, instances: met } of files) {
      // If the index contains the file of an instance, the instance is taken from that file.
      for (const [key, one] of met)
        if (one.file === facts.file || !this.#byFile.has(one.file)) instances.set(key, one);
    }
    for (const { instance, served, route } of files.flatMap((one) => one.parts)) {
      const key = this.project.moved?.get(instance) ?? instance;
      const known = parts.get(key) ?? { served: [], routes: [] };
      parts.set(key, known);
      if (served) known.served.push(served);
      if (route) known.routes.push(route);
    }
    for (const [key, { served, routes }] of parts) {
      const read = instances.get(key);
      if (!read) continue;
      const kind = routes.length === 0 ? 'queue' : read.kind;
      const more = {
        kind,
        served: withoutFallbacks(served, () => ''),
        routes: withoutFallbacks(routes, routeShape),
      };
      instances.set(key, this.#with(read, more, before));
    }
    return instances;
  }

  /** A declaration with additional properties; the same object as long as these have not changed. */
  #with(read: Declaration, more: Partial<Declaration> | undefined, before: ProjectIndex | null): Declaration {
    if (!more) return read;
    const now = { ...read, ...more };
    const known = this.#whole.get(read) ?? (before ? before.#whole.get(read) : undefined);
    const whole = known && areSame(known, now) ? known : now;
    this.#whole.set(read, whole);
    return whole;
  }
}

/**
 * Not a closure in the constructor: that would keep the previous index in memory, and through it all earlier
 * ones.
 */
function factsIn(files: ReadonlyMap<string, FileDeclarations>, others: FactsOf): FactsOf {
  return (file) => files.get(file)?.facts ?? others(file);
}

type Groups = ReadonlyMap<string, readonly Declaration[]>;

/** Groups declarations by their keys. Only groups with changed declarations are created again. */
function grouped(
  declarations: readonly Declaration[],
  keysOf: (declaration: Declaration) => readonly string[],
  before: Groups | null,
  changed: ReadonlySet<Declaration> | null,
): Groups {
  const groups = new Map(before);
  const stale = changed && new Set([...changed].flatMap(keysOf));
  for (const key of stale ?? []) groups.delete(key);
  for (const declaration of declarations) {
    for (const key of keysOf(declaration)) {
      if (stale && !stale.has(key)) continue;
      const there = groups.get(key);
      if (there) (there as Declaration[]).push(declaration);
      else groups.set(key, [declaration]);
    }
  }
  return groups;
}

function namesOf(declaration: Declaration): string[] {
  const name = effectiveName(declaration);
  return name === null || declaration.alternative ? [] : [name];
}

function filesOf({ file, served, routes }: Declaration): readonly string[] {
  const parts = [...served, ...routes];
  return parts.every((part) => part.file === file)
    ? [file]
    : [...new Set([file, ...parts.map((part) => part.file)])];
}

function areSame(a: Declaration, b: Declaration): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Declaration>;
  return [...keys].every((key) => {
    const [one, other] = [a[key], b[key]];
    if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
    return one.length === other.length && one.every((item, at) => item === other[at]);
  });
}

function bySite(a: Declaration, b: Declaration): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return comparePositions(a.call.range.start, b.call.range.start);
}
