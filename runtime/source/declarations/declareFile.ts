/**
 * One file's facts → its declarations, and the parts that it adds to instances of other files. Pure: the
 * result depends only on the facts that it asks for, and is valid as long as they do not change.
 */
import type { Range, RelatedLocation } from '../../contract/diagnostic.ts';
import { ROUTE_VERBS } from '../../contract/endpoint.ts';
import type { Decorator, Definition, FileFacts } from '../binder/FileFacts.ts';
import { areExclusive, reachOf } from '../binder/reach.ts';
import type { Steps } from '../steps.ts';
import { placeKey } from '../syntax/range.ts';
import type { Declaration, RouteDeclaration, ServedDefinition } from './Declaration.ts';
import type { EndpointNames } from './EndpointNames.ts';
import { endpointInFunction, inFunction } from './endpointsInFunctions.ts';
import { findMisuses } from './findMisuses.ts';
import { functionAround } from './functionAround.ts';
import type { Misuse } from './Misuse.ts';
import { type OfferedNames, offeredNames } from './offeredNames.ts';
import { type CallSite, readDeclaration } from './readDeclaration.ts';
import { readRoute } from './readRoute.ts';
import { leadsOfFile } from './scopeLeads.ts';

/** A function or route that a decorator adds to an instance. */
interface Part {
  /** The instance's `siteKey`. */
  instance: string;
  served: ServedDefinition | null;
  route: RouteDeclaration | null;
}

/** The declarations of one file. */
export interface FileDeclarations extends OfferedNames {
  facts: FileFacts;
  /**
   * By `siteKey`: the instances in the file, and the instances of other files to which it adds parts. Without
   * their parts.
   */
  instances: ReadonlyMap<string, Declaration>;
  decorated: readonly Declaration[];
  parts: readonly Part[];
  misuses: readonly Misuse[];
}

/** A key that identifies a call in the project. */
export function siteKey({ file, call: { range } }: Pick<CallSite, 'file' | 'call'>): string {
  return `${file}:${placeKey(range.start)}`;
}

/** Finds the declarations of a file, some of them in each step. */
export function* declareFile(facts: FileFacts, endpoints: EndpointNames): Steps<FileDeclarations> {
  const reader = new FileReader(facts, endpoints);
  leadsOfFile(facts, endpoints.names.modules);
  yield;
  reader.collectInstances();
  for (const definition of facts.definitions) {
    // Python applies decorators from the bottom up, but documents list them as written.
    for (const decorator of definition.decorators) reader.decorator(definition, decorator);
  }
  yield;
  const [made, local] = partition([...reader.instances.values(), ...reader.decorated], (one) =>
    isLocal(one, endpoints),
  );
  const own = local.filter(({ file }) => file === facts.file);
  const misuses = [
    ...reader.misuses,
    ...findMisuses(facts, endpoints),
    ...own.map((one) => endpointInFunction(one, facts)),
  ];
  yield;
  return {
    facts,
    instances: new Map(made.flatMap((one) => (one.form === 'decorator' ? [] : [[siteKey(one), one]]))),
    decorated: made.filter(({ form }) => form === 'decorator'),
    parts: reader.parts,
    misuses,
    ...offeredNames(facts, reader.assigned, endpoints),
  };
}

/** Whether a function creates the endpoint. A worker does not call that function. */
function isLocal({ file, scope, isInLambda }: CallSite, { names }: EndpointNames): boolean {
  return isInLambda ?? functionAround(names.factsOf(file)!, scope) !== null;
}

function partition<Item>(items: readonly Item[], isSecond: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter((item) => !isSecond(item)), items.filter(isSecond)];
}

class FileReader {
  readonly instances = new Map<string, Declaration>();
  /** Names in any scope to which instances are assigned. */
  readonly assigned: string[] = [];
  readonly decorated: Declaration[] = [];
  readonly parts: Part[] = [];
  readonly misuses: Misuse[] = [];
  readonly #facts: FileFacts;
  readonly #endpoints: EndpointNames;

  constructor(facts: FileFacts, endpoints: EndpointNames) {
    this.#facts = facts;
    this.#endpoints = endpoints;
  }

  collectInstances(): void {
    const { file, looseCalls } = this.#facts;
    const assigned = leadsOfFile(this.#facts, this.#endpoints.names.modules).calls;
    for (const [form, calls] of [
      ['instance', assigned],
      ['loose', looseCalls],
    ] as const) {
      for (const one of calls) {
        const { call, scope } = one;
        if (!this.#endpoints.isEndpointClass(file, scope, call.callee)) continue;
        if ('name' in one) this.assigned.push(one.name);
        const isInLambda = 'isInLambda' in one && one.isInLambda;
        this.#instance({ file, scope, call, ...reachOf(one), ...(isInLambda && { isInLambda }) }, form);
      }
    }
  }

  decorator(definition: Definition, decorator: Decorator): void {
    const { file, mentionsSdk } = this.#facts;
    const { path, call } = decorator;
    const { scope } = definition;
    if (!path) return;
    if (this.#endpoints.isEndpointClass(file, scope, path)) {
      if (call) {
        const site = { file, scope, call, ...reachOf(definition) };
        const declaration = readDeclaration(this.#endpoints.names, site, 'decorator');
        this.decorated.push({ ...declaration, served: [{ file, definition }] });
      } else {
        this.#misuse(
          decorator.pathRange,
          'Endpoint must be called when it decorates a function.',
          `Write @${path.join('.')}().`,
        );
      }
      return;
    }
    const whole = call ? [] : this.#instancesOf(definition, decorator, path);
    if (this.#noticeLocal(definition, decorator, whole)) return;
    this.#noticeChoice(decorator, path, whole);
    for (const instance of whole)
      this.parts.push({ instance: siteKey(instance), served: { file, definition }, route: null });
    if (whole.length === 0 && path.length > 1 && (mentionsSdk || verbOf(path)))
      this.#route(definition, decorator, path);
  }

  #route(definition: Definition, decorator: Decorator, path: readonly string[]): void {
    const { file } = this.#facts;
    const instances = this.#instancesOf(definition, decorator, path.slice(0, -1));
    if (instances.length === 0 || this.#noticeLocal(definition, decorator, instances)) return;
    this.#noticeChoice(decorator, path.slice(0, -1), instances);
    const verb = verbOf(path);
    if (!verb) {
      this.#misuse(
        decorator.pathRange,
        `Endpoint has no route decorator "${path.at(-1)}".`,
        `Use one of ${ROUTE_VERBS.join(', ')}.`,
      );
      return;
    }
    const route = readRoute(this.#endpoints.names, { file, definition }, decorator, verb);
    for (const instance of instances) this.parts.push({ instance: siteKey(instance), served: null, route });
  }

  /**
   * The instances that a decorator of a definition may refer to, if a worker creates both the instance and
   * the definition.
   */
  #instancesOf(definition: Definition, { pathRange }: Decorator, path: readonly string[]): Declaration[] {
    const { file } = this.#facts;
    const all = this.#endpoints.callsOf(file, definition.scope, path);
    // A name to which the file assigns several endpoints is refused, no matter where it is read.
    const isChoice = all.filter((site) => site.file === file).length > 1;
    const sites = isChoice ? all : this.#endpoints.callsOf(file, definition.scope, path, pathRange.start);
    const instances = [...new Set(sites.map((site) => this.#instance(site, 'instance')))];
    return instances.filter(
      (one) =>
        (definition.guard !== 'elsewhere' || one.guard === 'elsewhere') &&
        (one.file !== file || !areExclusive(one, definition)),
    );
  }

  #instance(site: CallSite, form: 'instance' | 'loose'): Declaration {
    const key = siteKey(site);
    const known = this.instances.get(key);
    if (known) return known;
    const declaration = readDeclaration(this.#endpoints.names, site, form);
    this.instances.set(key, declaration);
    return declaration;
  }

  /**
   * Reports a function inside another function, which is not served. If the endpoint is created there too,
   * the finding about the endpoint is enough.
   */
  #noticeLocal({ scope }: Definition, { range }: Decorator, instances: readonly Declaration[]): boolean {
    const around = functionAround(this.#facts, scope);
    if (!around || instances.length === 0) return false;
    if (instances.every((instance) => isLocal(instance, this.#endpoints))) return true;
    const fix = 'Move the function to the top level of the module.';
    this.misuses.push({ file: this.#facts.file, range, fix, ...inFunction('route', around.name) });
    return true;
  }

  /**
   * Reports a name to which several endpoints are assigned, because the endpoint that it refers to is known
   * only when the code runs.
   */
  #noticeChoice(decorator: Decorator, path: readonly string[], instances: readonly Declaration[]): void {
    if (instances.length < 2 || areOneEndpoint(instances)) return;
    const places = instances.map(({ file, call }) => `${file}:${call.range.start.line + 1}`).join(' and ');
    this.#misuse(
      decorator.pathRange,
      `${path.join('.')} can be any of ${instances.length} endpoints (${places}). Which one is known only when the code runs, so this route cannot be built.`,
      'Assign each endpoint to a different name.',
      instances.map(({ file, call }) => ({
        file,
        range: call.range,
        message: `${path.join('.')} may refer to this endpoint.`,
      })),
    );
  }

  #misuse(range: Range, message: string, fix: string, related: RelatedLocation[] = []): void {
    this.misuses.push({ code: 'unsupported-form', file: this.#facts.file, range, message, fix, related });
  }
}

/** Whether a worker creates only one of the instances. */
function areOneEndpoint(instances: readonly Declaration[]): boolean {
  return instances.every((one, at) =>
    instances.slice(0, at).every((other) => other.file === one.file && areExclusive(other, one)),
  );
}

function verbOf(path: readonly string[]) {
  return ROUTE_VERBS.find((known) => known === path.at(-1));
}
