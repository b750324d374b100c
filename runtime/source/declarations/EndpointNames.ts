/** Which names of a project's files stand for the class `Endpoint`, and for calls of it. */
import { bindingsOf } from '../binder/bindings.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import { reachOf } from '../binder/reach.ts';
import type { NameResolver } from './NameResolver.ts';
import type { CallSite } from './readDeclaration.ts';
import { mayLead } from './scopeLeads.ts';

export const CLASS = 'Endpoint';

export class EndpointNames {
  readonly names: NameResolver;
  readonly #classNames: ReadonlySet<string>;

  /** @param classNames - Names by which modules offer the class. */
  constructor(names: NameResolver, classNames: ReadonlySet<string>) {
    this.names = names;
    this.#classNames = classNames;
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

  /** Calls of the class whose instances a path stands for. */
  callsOf(file: string, scope: number, path: readonly string[]): CallSite[] {
    const facts = this.names.factsOf(file);
    if (path[0] === undefined || !facts || !mayLead(facts, path[0], this.names.modules)) return [];
    return this.names.resolve(file, scope, path).flatMap((entity) => {
      if (entity.kind !== 'value' || entity.expression.kind !== 'call') return [];
      const { call } = entity.expression;
      if (!this.isEndpointClass(entity.file, entity.scope, call.callee)) return [];
      return [{ file: entity.file, scope: entity.scope, call, ...reachOf(entity) }];
    });
  }

  /**
   * Whether a path may stand for what the project makes from the class. Following it may read other files, so a file
   * that does not mention toolkit_sdk is asked only about what it makes itself.
   */
  mayBeOwn(facts: FileFacts, scope: number, [first]: readonly string[]): boolean {
    if (facts.mentionsSdk || first === undefined) return first !== undefined;
    const bound = [facts.scopes[scope]!, facts.scopes[0]!].flatMap(({ bindings }) =>
      bindingsOf(bindings, first),
    );
    return bound.some(({ kind }) => kind === 'value' || kind === 'definition');
  }

  /**
   * Following a name reads the files that it leads through, so files that do not mention toolkit_sdk are asked only
   * about names that a module offers the class by.
   */
  #mayLeadToClass(file: string, path: readonly string[]): boolean {
    const facts = this.names.factsOf(file);
    if (!facts || !mayLead(facts, path[0]!, this.names.modules)) return false;
    if (facts.mentionsSdk || path.some((name) => this.#classNames.has(name))) return true;
    return facts.scopes.some(({ bindings }) =>
      bindingsOf(bindings, path[0]!).some(
        (binding) => binding.kind === 'member' && this.#classNames.has(binding.name),
      ),
    );
  }
}
