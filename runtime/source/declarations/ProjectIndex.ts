/**
 * The facts of all files → the project's declarations, and the places where something looks like a declaration but
 * cannot be served. Pure: equal facts give an equal index.
 */
import type { Range, RelatedLocation } from '../../contract/diagnostic.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { ROUTE_VERBS, type RouteMethod } from '../../contract/endpoint.ts';
import type { Decorator, Definition, FileFacts } from '../binder/FileFacts.ts';
import { unfilled } from './Constant.ts';
import type { Declaration } from './Declaration.ts';
import { derivedEndpoints } from './derivedEndpoints.ts';
import { endpointDocument } from './endpointDocument.ts';
import { endpointsInFunctions, functionAround, inFunction } from './endpointsInFunctions.ts';
import { findMisuses, type Misuse } from './findMisuses.ts';
import { foldConstant } from './foldConstant.ts';
import type { ModuleTable } from './ModuleTable.ts';
import { type Entity, type FactsOf, NameResolver } from './NameResolver.ts';
import { type CallSite, readDeclaration } from './readDeclaration.ts';
import { leadsOfFile, mayLead } from './scopeLeads.ts';
import type { MisplacedTable, Tables } from './tableDeclarations.ts';

const CLASS = 'Endpoint';

export class ProjectIndex {
  readonly files: readonly FileFacts[];
  readonly names: NameResolver;
  /** In order of file, then place. */
  readonly declarations: readonly Declaration[];
  readonly misuses: readonly Misuse[];
  /** What stands in pyproject.toml where endpoints should. */
  readonly misplacedTables: readonly MisplacedTable[];
  /** Names by which modules offer the class `Endpoint`. */
  readonly classNames: ReadonlySet<string>;
  readonly #instances = new Map<string, Declaration>();
  readonly #misuses: Misuse[] = [];

  /**
   * @param files - Facts of the files that may declare endpoints, in order of file.
   * @param factsOf - Facts of any file of the project, for names that lead there.
   * @param tables - Declarations of pyproject.toml.
   */
  constructor(
    files: readonly FileFacts[],
    modules: ModuleTable,
    factsOf: FactsOf,
    classNames: ReadonlySet<string> = new Set([CLASS]),
    tables: Tables = { declarations: [], misplaced: [] },
  ) {
    this.files = files;
    this.misplacedTables = tables.misplaced;
    this.classNames = classNames;
    this.names = new NameResolver(modules, factsOf);
    const decorated: Declaration[] = [];
    for (const facts of files) this.#collectInstances(facts);
    for (const facts of files) {
      for (const definition of facts.definitions) {
        // Python applies decorators from the bottom up; documents list them as written.
        for (const decorator of definition.decorators) {
          const declaration = this.#decorator(facts, definition, decorator);
          if (declaration) decorated.push(declaration);
        }
      }
    }
    for (const instance of this.#instances.values()) {
      if (instance.served.length > 0 && instance.routes.length === 0) instance.kind = 'queue';
    }
    for (const facts of files) this.#misuses.push(...findMisuses(facts, this));
    const all = [...this.#instances.values(), ...decorated];
    const [declared, locals] = partition(all, (one) => this.#isLocal(one));
    this.#misuses.push(...derivedEndpoints(files, this), ...endpointsInFunctions(locals, files, this.names));
    this.declarations = [...declared, ...tables.declarations].sort(bySite);
    this.misuses = this.#misuses;
  }

  /** The documents of all declarations. */
  endpoints(): Endpoint[] {
    return this.declarations.map((declaration) => endpointDocument(declaration, this.names.factsOf));
  }

  /** Whether there may be routes. */
  get hasInstances(): boolean {
    return this.#instances.size > 0;
  }

  /** Modules that offer the class `Endpoint` by another name. */
  classAliases(): { file: string; name: string }[] {
    const aliases: { file: string; name: string }[] = [];
    for (const facts of this.files) {
      for (const name of Object.keys(facts.scopes[0]!.bindings)) {
        if (name !== CLASS && this.isEndpointClass(facts.file, 0, [name]))
          aliases.push({ file: facts.file, name });
      }
    }
    return aliases;
  }

  /** Whether what a path stands for is the class `Endpoint`. */
  isEndpointClass(file: string, scope: number, path: readonly string[]): boolean {
    if (!this.#mayLeadToClass(file, path)) return false;
    return this.names
      .resolve(file, scope, path)
      .some((entity) => entity.kind === 'sdk' && entity.path.at(-1) === CLASS);
  }

  /** Whether what a path stands for is the package toolkit_sdk itself. */
  isSdkPackage(file: string, scope: number, path: readonly string[]): boolean {
    return this.names
      .resolve(file, scope, path)
      .some((entity) => entity.kind === 'sdk' && entity.path.length === 0);
  }

  /**
   * Following a name parses the files that it leads through, so files that do not mention toolkit_sdk are asked only
   * about names that a module offers the class by.
   */
  #mayLeadToClass(file: string, path: readonly string[]): boolean {
    const facts = this.names.factsOf(file);
    if (!facts || !mayLead(facts, path[0]!, this.names.modules)) return false;
    if (facts.mentionsSdk || path.some((name) => this.classNames.has(name))) return true;
    return facts.scopes.some(({ bindings }) =>
      (Object.hasOwn(bindings, path[0]!) ? bindings[path[0]!]! : []).some(
        (binding) => binding.kind === 'member' && this.classNames.has(binding.name),
      ),
    );
  }

  #collectInstances(facts: FileFacts): void {
    for (const { call, scope, guard } of leadsOfFile(facts, this.names.modules).calls) {
      if (!this.isEndpointClass(facts.file, scope, call.callee)) continue;
      this.#instance({ file: facts.file, scope, guard, call }, 'instance');
    }
    for (const { call, scope, guard, isInLambda } of facts.looseCalls) {
      if (!this.isEndpointClass(facts.file, scope, call.callee)) continue;
      const site = { file: facts.file, scope, guard, call, ...(isInLambda && { isInLambda }) };
      this.#instance(site, 'loose');
    }
  }

  #instance(site: CallSite, form: 'instance' | 'loose'): Declaration {
    const { line, character } = site.call.range.start;
    const key = `${site.file}:${line}:${character}`;
    const known = this.#instances.get(key);
    if (known) return known;
    const declaration = readDeclaration(this.names, site, form);
    this.#instances.set(key, declaration);
    return declaration;
  }

  /** Instances that a path stands for. */
  instancesOf(file: string, scope: number, path: readonly string[]): Declaration[] {
    const facts = this.names.factsOf(file);
    if (path[0] === undefined || !facts || !mayLead(facts, path[0], this.names.modules)) return [];
    const found: Declaration[] = [];
    for (const entity of this.names.resolve(file, scope, path)) {
      const site = this.#endpointCall(entity);
      if (site) found.push(this.#instance(site, 'instance'));
    }
    return [...new Set(found)];
  }

  #endpointCall(entity: Entity): CallSite | null {
    if (entity.kind !== 'value' || entity.expression.kind !== 'call') return null;
    const { file, scope, guard } = entity;
    const { call } = entity.expression;
    return this.isEndpointClass(file, scope, call.callee) ? { file, scope, guard, call } : null;
  }

  #decorator(facts: FileFacts, definition: Definition, decorator: Decorator): Declaration | null {
    const { path, call } = decorator;
    const { scope } = definition;
    if (!path) return null;
    if (this.isEndpointClass(facts.file, scope, path)) {
      if (!call) {
        this.#misuse(
          facts,
          decorator.pathRange,
          'Endpoint decorates a function only when it is called.',
          `Write @${path.join('.')}().`,
        );
        return null;
      }
      const site = { file: facts.file, scope, guard: definition.guard, call };
      const declaration = readDeclaration(this.names, site, 'decorator');
      declaration.served.push({ file: facts.file, definition });
      return declaration;
    }
    const whole = call || !facts.mentionsSdk ? [] : this.instancesOf(facts.file, scope, path);
    if (this.#noticeLocal(facts, definition, decorator, whole)) return null;
    this.#noticeChoice(facts, decorator, path, whole);
    for (const instance of whole) instance.served.push({ file: facts.file, definition });
    if (whole.length === 0 && path.length > 1 && (facts.mentionsSdk || verbOf(path)))
      this.#route(facts, definition, decorator, path);
    return null;
  }

  #route(facts: FileFacts, definition: Definition, decorator: Decorator, path: readonly string[]): void {
    const instances = this.instancesOf(facts.file, definition.scope, path.slice(0, -1));
    if (instances.length === 0 || this.#noticeLocal(facts, definition, decorator, instances)) return;
    this.#noticeChoice(facts, decorator, path.slice(0, -1), instances);
    const verb = verbOf(path);
    if (!verb) {
      this.#misuse(
        facts,
        decorator.pathRange,
        `An Endpoint has no route decorator ${path.at(-1)}.`,
        `Use one of ${ROUTE_VERBS.join(', ')}.`,
      );
      return;
    }
    const given = decorator.call?.arguments.find(
      ({ keyword, spread }) => !spread && (keyword ?? 'path') === 'path',
    );
    const open = decorator.call?.arguments.some(({ spread }) => spread) ?? false;
    const constant = given
      ? unfilled(foldConstant(this.names, given.value, { file: facts.file, scope: definition.scope }))
      : null;
    for (const instance of instances) {
      instance.routes.push({
        file: facts.file,
        definition,
        decorator,
        method: verb.toUpperCase() as RouteMethod,
        expression: given?.value ?? null,
        path:
          constant?.type === 'string'
            ? { state: 'known', value: constant.value }
            : constant?.type === 'dynamic' || (!constant && open)
              ? { state: 'dynamic' }
              : {
                  state: 'invalid',
                  problem: 'A route needs a path',
                  fix: `Write for example "/${definition.name}".`,
                },
      });
    }
  }

  #isLocal({ file, scope, isInLambda }: CallSite): boolean {
    return isInLambda ?? functionAround(this.names.factsOf(file)!, scope) !== null;
  }

  /** A function in another one is not served; of an endpoint that is made there too, its own finding is enough. */
  #noticeLocal(
    facts: FileFacts,
    { scope }: Definition,
    { range }: Decorator,
    instances: readonly Declaration[],
  ): boolean {
    const around = functionAround(facts, scope);
    if (!around || instances.length === 0) return false;
    if (instances.every((instance) => this.#isLocal(instance))) return true;
    const fix = 'Move the function to the top level of the module.';
    this.#misuses.push({ file: facts.file, range, fix, ...inFunction('route', around.name) });
    return true;
  }

  /** A name that is assigned twice has no one endpoint, even where running the code would tell which. */
  #noticeChoice(
    facts: FileFacts,
    decorator: Decorator,
    path: readonly string[],
    instances: readonly Declaration[],
  ): void {
    if (instances.length < 2) return;
    const places = instances.map(({ file, call }) => `${file}:${call.range.start.line + 1}`).join(' and ');
    this.#misuse(
      facts,
      decorator.pathRange,
      `${path.join('.')} stands for ${instances.length} endpoints (${places}), so which of them this belongs to is known only when the code runs.`,
      'Assign each endpoint to a name of its own.',
      instances.map(({ file, call }) => ({
        file,
        range: call.range,
        message: `${path.join('.')} may stand for this endpoint.`,
      })),
    );
  }

  #misuse(
    facts: FileFacts,
    range: Range,
    message: string,
    fix: string,
    related: RelatedLocation[] = [],
  ): void {
    this.#misuses.push({ code: 'unsupported-form', file: facts.file, range, message, fix, related });
  }
}

function partition<Item>(items: readonly Item[], isSecond: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter((item) => !isSecond(item)), items.filter(isSecond)];
}

function verbOf(path: readonly string[]) {
  return ROUTE_VERBS.find((known) => known === path.at(-1));
}

function bySite(a: Declaration, b: Declaration): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  const { line, character } = a.call.range.start;
  const other = b.call.range.start;
  return line - other.line || character - other.character;
}
