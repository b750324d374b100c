/** A dotted name in a scope → what it stands for, across the project's files, by way of aliases and re-exports. */
import { SDK_MODULE } from '../../contract/names.ts';
import type { Expression } from '../binder/Expression.ts';
import type { Binding, Definition, FileFacts, Guard, ImportTarget } from '../binder/FileFacts.ts';
import type { ModuleTable } from './ModuleTable.ts';

/** What a name may stand for. */
export type Entity =
  /** Something of toolkit_sdk: the names after the package's own. */
  | { kind: 'sdk'; path: string[] }
  /** Another package or the standard library, with the names after it. */
  | { kind: 'external'; path: string[] }
  | { kind: 'module'; stem: string }
  | { kind: 'value'; file: string; scope: number; expression: Expression; guard: Guard | null }
  | { kind: 'definition'; file: string; definition: Definition }
  | { kind: 'opaque' };

/** Facts of the project's files, read when first asked for. */
export type FactsOf = (file: string) => FileFacts | null;

/** Longest chain of aliases that is followed. */
const MAX_CHAIN = 50;

/** One question's way through aliases and star imports. */
interface Trail {
  /**
   * What each name on the way stands for. It is asked once, however many ways lead to it: in modules that star-import
   * each other there are more ways than anybody can wait for.
   */
  answers: Map<string, Entity[]>;
  depth: number;
}

export class NameResolver {
  readonly modules: ModuleTable;
  readonly factsOf: FactsOf;

  constructor(modules: ModuleTable, factsOf: FactsOf) {
    this.modules = modules;
    this.factsOf = factsOf;
  }

  /** All that a dotted name may stand for; aliases are followed to their ends. Empty when nothing binds it. */
  resolve(
    file: string,
    scope: number,
    path: readonly string[],
    trail: Trail = { answers: new Map(), depth: 0 },
  ): Entity[] {
    const [first, ...rest] = path;
    if (first === undefined) return [];
    return this.#once(`${file}:${scope}:${path.join('.')}`, trail, (next) => {
      let entities = this.#lookUp(file, scope, first, next);
      for (const name of rest) entities = entities.flatMap((entity) => this.#member(entity, name, next));
      return entities;
    });
  }

  #once(link: string, { answers, depth }: Trail, find: (trail: Trail) => Entity[]): Entity[] {
    const known = answers.get(link);
    if (known || depth > MAX_CHAIN) return known ?? [];
    // What leads back to itself adds nothing.
    answers.set(link, []);
    const found = [...new Set(find({ answers, depth: depth + 1 }))];
    answers.set(link, found);
    return found;
  }

  /** The scope chain of Python: a class's names are seen in its own body only. */
  #lookUp(file: string, scope: number, name: string, trail: Trail): Entity[] {
    const scopes = this.factsOf(file)?.scopes ?? [];
    for (let at = scopes[scope] ? scope : null; at !== null; at = scopes[at]!.parent) {
      if (at !== scope && scopes[at]!.kind === 'class') continue;
      const found = this.#inScope(file, at, name, trail);
      if (found.length > 0) return found;
    }
    return [];
  }

  #inScope(file: string, scope: number, name: string, trail: Trail): Entity[] {
    const facts = this.factsOf(file);
    const here = facts?.scopes[scope];
    if (!facts || !here) return [];
    const bindings = Object.hasOwn(here.bindings, name) ? here.bindings[name]! : [];
    if (bindings.length > 0) return bindings.flatMap((binding) => this.#bound(facts, scope, binding, trail));
    return here.stars.flatMap((target) => this.#starMember(target, file, name, trail));
  }

  #bound(facts: FileFacts, scope: number, binding: Binding, trail: Trail): Entity[] {
    switch (binding.kind) {
      case 'module':
        return [this.#moduleEntity(binding.target, facts.file)];
      case 'member': {
        return this.#member(this.#moduleEntity(binding.target, facts.file), binding.name, trail);
      }
      case 'definition':
        return [{ kind: 'definition', file: facts.file, definition: facts.definitions[binding.definition]! }];
      case 'value': {
        const { expression, guard } = binding;
        if (expression.kind === 'reference') {
          const followed = this.resolve(facts.file, scope, expression.path, trail);
          if (followed.length > 0) return followed;
        }
        return [{ kind: 'value', file: facts.file, scope, expression, guard }];
      }
      default:
        return [{ kind: 'opaque' }];
    }
  }

  #moduleEntity(target: ImportTarget, from: string): Entity {
    const parts = target.module.split('.');
    if (target.folder === null && parts[0] === SDK_MODULE) return { kind: 'sdk', path: parts.slice(1) };
    const stem = this.modules.resolve(target, from);
    if (stem !== null) return { kind: 'module', stem };
    return target.folder === null ? { kind: 'external', path: parts } : { kind: 'opaque' };
  }

  #member(entity: Entity, name: string, trail: Trail): Entity[] {
    switch (entity.kind) {
      case 'sdk':
      case 'external':
        return [{ ...entity, path: [...entity.path, name] }];
      case 'module':
        return this.#moduleMember(entity.stem, name, trail);
      case 'definition':
        return entity.definition.kind === 'class'
          ? this.#inScope(entity.file, entity.definition.body, name, trail)
          : [{ kind: 'opaque' }];
      default:
        return [{ kind: 'opaque' }];
    }
  }

  /** A module's own names win over its submodules, as in Python. */
  #moduleMember(stem: string, name: string, trail: Trail): Entity[] {
    return this.#once(`${stem}!${name}`, trail, (next) => {
      const file = this.modules.fileOf(stem);
      const own = file === null ? [] : this.#inScope(file, 0, name, next);
      if (own.length > 0) return own;
      const child = this.modules.child(stem, name);
      return child === null ? [] : [{ kind: 'module', stem: child }];
    });
  }

  /** `__all__` is not consulted: a name that it hides is no name of a declaration. */
  #starMember(target: ImportTarget, from: string, name: string, trail: Trail): Entity[] {
    if (name.startsWith('_')) return [];
    const entity = this.#moduleEntity(target, from);
    // A star import of another package might bind any name: only toolkit_sdk's are known.
    if (entity.kind === 'sdk')
      return SDK_NAMES.has(name) ? [{ kind: 'sdk', path: [...entity.path, name] }] : [];
    return entity.kind === 'module' ? this.#moduleMember(entity.stem, name, trail) : [];
  }
}

const SDK_NAMES: ReadonlySet<string> = new Set(['Endpoint', 'GpuGroup', 'GpuType', 'CpuInstanceType']);
