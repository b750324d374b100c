/** Finds which names in a project's files refer to the class `Endpoint` or to calls of it. */
import type { Position } from '../../contract/diagnostic.ts';
import { bindingsOf } from '../binder/bindings.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import { reachOf } from '../binder/reach.ts';
import type { Entity, NameResolver } from './NameResolver.ts';
import type { CallSite } from './readDeclaration.ts';
import { mayLead } from './scopeLeads.ts';

export const CLASS = 'Endpoint';

export class EndpointNames {
  readonly names: NameResolver;
  readonly #classNames: ReadonlySet<string>;

  /** @param classNames - Names by which modules export the class or something that creates endpoints. */
  constructor(names: NameResolver, classNames: ReadonlySet<string>) {
    this.names = names;
    this.#classNames = classNames;
  }

  /** Whether a path refers to the class `Endpoint`. */
  isEndpointClass(file: string, scope: number, path: readonly string[]): boolean {
    if (!this.#mayLeadToClass(file, path)) return false;
    return this.names
      .resolve(file, scope, path)
      .some((entity) => entity.kind === 'sdk' && entity.path.at(-1) === CLASS);
  }

  /** Whether a path refers to the package toolkit_sdk itself. */
  isSdkPackage(file: string, scope: number, path: readonly string[]): boolean {
    return this.names
      .resolve(file, scope, path)
      .some((entity) => entity.kind === 'sdk' && entity.path.length === 0);
  }

  /**
   * Calls of the class whose instances a path refers to.
   *
   * @param place - Where the path is read, if it is read while the scope's statements run.
   */
  callsOf(file: string, scope: number, path: readonly string[], place?: Position): CallSite[] {
    const facts = this.names.factsOf(file);
    if (path[0] === undefined || !facts || !mayLead(facts, path[0], this.names.modules)) return [];
    const { names } = this;
    const entities = place ? names.resolveAt(file, scope, path, place) : names.resolve(file, scope, path);
    return entities.flatMap((entity) => this.siteOf(entity) ?? []);
  }

  /** The call of the class that creates an instance; null for anything else. */
  siteOf(entity: Entity): CallSite | null {
    if (entity.kind !== 'value' || entity.expression.kind !== 'call') return null;
    const { call } = entity.expression;
    if (!this.isEndpointClass(entity.file, entity.scope, call.callee)) return null;
    return { file: entity.file, scope: entity.scope, call, ...reachOf(entity) };
  }

  /**
   * Whether a path may refer to something that the project creates from the class. Following a path may read
   * other files. So in a file that does not mention toolkit_sdk, only names that the file itself assigns or
   * defines are followed, and names by which a module exports the class.
   */
  mayBeOwn(facts: FileFacts, scope: number, path: readonly string[]): boolean {
    const [first] = path;
    if (facts.mentionsSdk || first === undefined) return first !== undefined;
    const bound = [facts.scopes[scope]!, facts.scopes[0]!].flatMap(({ bindings }) =>
      bindingsOf(bindings, first),
    );
    return (
      bound.some(({ kind }) => kind === 'value' || kind === 'definition') || this.#isOffered(facts, path)
    );
  }

  /**
   * Following a name reads the files that it leads through. So in files that do not mention toolkit_sdk, only
   * names by which a module exports the class are followed.
   */
  #mayLeadToClass(file: string, path: readonly string[]): boolean {
    const facts = this.names.factsOf(file);
    if (!facts || !mayLead(facts, path[0]!, this.names.modules)) return false;
    return facts.mentionsSdk || this.#isOffered(facts, path);
  }

  /**
   * Whether a path contains a name by which a module exports the class, or begins with the file's alias for
   * such a name.
   */
  #isOffered({ scopes }: FileFacts, path: readonly string[]): boolean {
    if (path.some((name) => this.#classNames.has(name))) return true;
    return scopes.some(({ bindings }) =>
      bindingsOf(bindings, path[0]!).some(
        (binding) => binding.kind === 'member' && this.#classNames.has(binding.name),
      ),
    );
  }
}
