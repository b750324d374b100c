/**
 * What each file declares → the project's declarations, each with what all files add to it. Pure: equal files give an
 * equal index, and what is equal in the index before is the same object in the next one.
 */
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Definition, FileFacts } from '../binder/FileFacts.ts';
import type { Declaration } from './Declaration.ts';
import { effectiveName } from './Declaration.ts';
import { type FileDeclarations, siteKey } from './declareFile.ts';
import { EndpointNames } from './EndpointNames.ts';
import { endpointDocument } from './endpointDocument.ts';
import type { ModuleTable } from './ModuleTable.ts';
import { type FactsOf, NameResolver } from './NameResolver.ts';
import { bodiesOf, type ServedBody } from './servedBodies.ts';
import type { MisplacedTable, Tables } from './tableDeclarations.ts';

interface IndexedProject {
  /** In order of file. */
  files: readonly FileDeclarations[];
  /** Declarations of pyproject.toml. */
  tables: Tables;
  modules: ModuleTable;
  /** Facts of any file of the project, for names that lead there. */
  factsOf: FactsOf;
  /** Names by which modules offer the class `Endpoint`. */
  classNames: ReadonlySet<string>;
  /** Instances whose calls have moved since other files were read: the `siteKey` of then → the one of now. */
  moved?: ReadonlyMap<string, string>;
}

/** Items by name and by file. */
interface Groups {
  named: ReadonlyMap<string, readonly Declaration[]>;
  touching: ReadonlyMap<string, readonly Declaration[]>;
  bodiesIn: ReadonlyMap<string, readonly ServedBody[]>;
}

const NONE: readonly never[] = [];

export class ProjectIndex {
  /** Facts of the files that may declare endpoints, in order of file. */
  readonly files: readonly FileFacts[];
  readonly names: NameResolver;
  /** In order of file, then place. */
  readonly declarations: readonly Declaration[];
  /** What stands in pyproject.toml where endpoints should. */
  readonly misplacedTables: readonly MisplacedTable[];
  readonly project: IndexedProject;
  readonly #endpoints: EndpointNames;
  readonly #byFile: ReadonlyMap<string, FileDeclarations>;
  /** By `siteKey`. */
  readonly #instances: ReadonlyMap<string, Declaration>;
  /** What was read of a call → the same with all that is added to it. */
  readonly #whole = new Map<Declaration, Declaration>();
  readonly #groups: Groups;
  /** What workers run, by definition. */
  readonly bodies: ReadonlyMap<Definition, ServedBody>;

  /** @param before - The index that was good until now. */
  constructor(project: IndexedProject, before: ProjectIndex | null = null) {
    const { files, tables, modules, factsOf, classNames } = project;
    this.project = project;
    this.files = files.map(({ facts }) => facts);
    this.misplacedTables = tables.misplaced;
    this.#byFile = new Map(files.map((one) => [one.facts.file, one]));
    // Places of a declaration are those of the facts that it was read from.
    this.names = new NameResolver(modules, (file) => this.#byFile.get(file)?.facts ?? factsOf(file));
    this.#endpoints = new EndpointNames(this.names, classNames);
    this.#instances = this.#assemble(files, before);
    this.declarations = [
      ...this.#instances.values(),
      ...files.flatMap(({ decorated }) => decorated),
      ...tables.declarations,
    ].sort(bySite);
    const known = before ? before.#groups : null;
    this.bodies = bodiesOf(this.declarations, (definition) => before?.bodies.get(definition));
    this.#groups = {
      named: grouped(this.declarations, namesOf, known?.named),
      touching: grouped(this.declarations, filesOf, known?.touching),
      bodiesIn: grouped([...this.bodies.values()], ({ file }) => [file], known?.bodiesIn),
    };
  }

  /** The documents of all declarations. */
  endpoints(): Endpoint[] {
    return this.declarations.map((declaration) => endpointDocument(declaration, this.names.factsOf));
  }

  /** What a file declares by itself; null for one that declares nothing. */
  ofFile(file: string): FileDeclarations | null {
    return this.#byFile.get(file) ?? null;
  }

  /** Declarations of an endpoint's name, wherever they stand. */
  named(name: string): readonly Declaration[] {
    return this.#groups.named.get(name) ?? NONE;
  }

  /** Declarations that stand in a file, or take a function or route from it. */
  touching(file: string): readonly Declaration[] {
    return this.#groups.touching.get(file) ?? NONE;
  }

  /** What workers run of a file. */
  bodiesIn(file: string): readonly ServedBody[] {
    return this.#groups.bodiesIn.get(file) ?? NONE;
  }

  /** Whether what a path stands for is the class `Endpoint`. */
  isEndpointClass(file: string, scope: number, path: readonly string[]): boolean {
    return this.#endpoints.isEndpointClass(file, scope, path);
  }

  /** Instances that a path stands for. */
  instancesOf(file: string, scope: number, path: readonly string[]): Declaration[] {
    const sites = this.#endpoints.callsOf(file, scope, path);
    return [...new Set(sites.flatMap((site) => this.#instances.get(siteKey(site)) ?? []))];
  }

  /** The instances of all files, each with its parts. */
  #assemble(files: readonly FileDeclarations[], before: ProjectIndex | null): Map<string, Declaration> {
    const instances = new Map<string, Declaration>();
    const parts = new Map<string, Pick<Declaration, 'served' | 'routes'>>();
    for (const { facts, instances: met } of files) {
      // A file knows its own instances best.
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
      const known = before ? before.#whole.get(read) : undefined;
      const isSame = known && areSame(known.served, served) && areSame(known.routes, routes);
      const kind = routes.length === 0 ? 'queue' : read.kind;
      const whole = isSame ? known : { ...read, kind, served, routes };
      this.#whole.set(read, whole);
      instances.set(key, whole);
    }
    return instances;
  }
}

/** Items by key; lists that say the same as before are the same. */
function grouped<Item>(
  items: readonly Item[],
  keysOf: (item: Item) => Iterable<string>,
  before: ReadonlyMap<string, readonly Item[]> | undefined,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, readonly Item[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const there = groups.get(key);
      if (there) (there as Item[]).push(item);
      else groups.set(key, [item]);
    }
  }
  for (const [key, group] of groups) {
    const known = before?.get(key);
    if (known && areSame(known, group)) groups.set(key, known);
  }
  return groups;
}

function namesOf(declaration: Declaration): string[] {
  const name = effectiveName(declaration);
  return name === null ? [] : [name];
}

function filesOf({ file, served, routes }: Declaration): Set<string> {
  const files = new Set([file]);
  for (const one of served) files.add(one.file);
  for (const one of routes) files.add(one.file);
  return files;
}

function areSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}

function bySite(a: Declaration, b: Declaration): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  const { line, character } = a.call.range.start;
  const other = b.call.range.start;
  return line - other.line || character - other.character;
}
