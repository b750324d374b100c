/**
 * A dotted name in a scope → what it refers to, followed through aliases and re-exports across the project's
 * files.
 */
import type { Position } from '../../contract/diagnostic.ts';
import { SDK_MODULE } from '../../contract/names.ts';
import { bindingsOf, placeOf } from '../binder/bindings.ts';
import type { Expression } from '../binder/Expression.ts';
import { isExported } from '../binder/exportedTexts.ts';
import type { Binding, Definition, FileFacts, ImportTarget } from '../binder/FileFacts.ts';
import { isRun, type Reach, reachOf } from '../binder/reach.ts';
import { comparePositions } from '../syntax/range.ts';
import type { ModuleTable } from './ModuleTable.ts';

/** What a name may refer to. */
export type Entity =
  /** Something in toolkit_sdk: the names after the package's name. */
  | { kind: 'sdk'; path: string[] }
  /** Something in another package or the standard library: the whole dotted name. */
  | { kind: 'external'; path: string[] }
  | { kind: 'module'; stem: string }
  | (Reach & { kind: 'value'; file: string; scope: number; expression: Expression })
  | { kind: 'definition'; file: string; definition: Definition }
  | { kind: 'opaque' };

/** Facts of the project's files, read on demand. */
export type FactsOf = (file: string) => FileFacts | null;

/** The longest chain of aliases that is followed. */
const MAX_CHAIN = 50;

/** The path of one query through aliases and star imports. */
interface Trail {
  /**
   * What each name on the path refers to. Each name is resolved once, even if several paths lead to it:
   * between modules that star-import each other, there are too many paths to follow all of them.
   */
  answers: Map<string, Entity[]>;
  depth: number;
}

/** One statement that binds a name. */
interface Source extends Reach {
  start: Position;
  isStar: boolean;
  entities: Entity[];
}

export class NameResolver {
  readonly modules: ModuleTable;
  readonly factsOf: FactsOf;

  constructor(modules: ModuleTable, factsOf: FactsOf) {
    this.modules = modules;
    this.factsOf = factsOf;
  }

  /**
   * Everything that a dotted name may refer to, with aliases followed to their ends. Empty if nothing binds
   * the name.
   */
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

  /**
   * Like `resolve`, for a name that is read when the scope's statements before a position have run. The last
   * statement that is certain to bind the name replaces the earlier ones.
   */
  resolveAt(file: string, scope: number, path: readonly string[], place: Position): Entity[] {
    const [first, ...rest] = path;
    const trail = { answers: new Map(), depth: 0 };
    const sources = first === undefined ? [] : this.#sources(file, scope, first, trail);
    const before = sources
      .filter(({ start }) => comparePositions(start, place) < 0)
      .sort((a, b) => comparePositions(a.start, b.start));
    const last = before.findLastIndex(({ guard, conditional }) => guard === null && !conditional);
    if (last === -1) return this.resolve(file, scope, path);
    let entities = reached(before.slice(last)).flatMap((source) => source.entities);
    for (const name of rest) entities = entities.flatMap((entity) => this.#member(entity, name, trail));
    return distinct(entities);
  }

  /** Whether a name is a builtin: nothing binds it, and no star import can bind it. */
  isBuiltin(file: string, scope: number, name: string): boolean {
    return this.resolve(file, scope, [name]).length === 0 && this.#knowsNames(file, new Set());
  }

  /** Whether all names of a module are known. A star import from another package may bind any name. */
  #knowsNames(file: string, asked: Set<string>): boolean {
    if (asked.has(file)) return true;
    asked.add(file);
    return (this.factsOf(file)?.scopes ?? []).every(({ stars }) =>
      stars.every((target) => {
        const entity = this.#moduleEntity(target, file);
        const own = entity.kind === 'module' ? this.modules.fileOf(entity.stem) : null;
        return entity.kind === 'sdk' || (own !== null && this.#knowsNames(own, asked));
      }),
    );
  }

  #once(link: string, { answers, depth }: Trail, find: (trail: Trail) => Entity[]): Entity[] {
    const known = answers.get(link);
    if (known || depth > MAX_CHAIN) return known ?? [];
    // A name that leads back to itself adds nothing.
    answers.set(link, []);
    const found = distinct(find({ answers, depth: depth + 1 }));
    answers.set(link, found);
    return found;
  }

  /** Follows Python's scope chain, in which the names of a class are visible only in its own body. */
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
    return lasting(reached(this.#sources(file, scope, name, trail))).flatMap(({ entities }) => entities);
  }

  /** The statements of a scope that bind a name. */
  #sources(file: string, scope: number, name: string, trail: Trail): readonly Source[] {
    const facts = this.factsOf(file);
    const here = facts?.scopes[scope];
    if (!facts || !here) return [];
    const own = bindingsOf(here.bindings, name).map((binding) => ({
      ...placeOf(binding, facts.definitions),
      isStar: false,
      entities: this.#bound(facts, scope, binding, trail),
    }));
    const stars = here.stars.length === 0 ? [] : this.#starSources(facts, scope, name, trail);
    return [...own, ...stars];
  }

  /** The star imports of a scope that bind a name. */
  #starSources(facts: FileFacts, scope: number, name: string, trail: Trail): Source[] {
    const stars = facts.imports.filter(
      (item) => item.scope === scope && item.names?.[0] === '*' && isRun(item.guard),
    );
    return stars.flatMap(({ target, range: { start }, ...reach }) => {
      const entities = this.#starMember(target, facts.file, name, trail);
      return entities.length === 0 ? [] : [{ ...reachOf(reach), start, isStar: true, entities }];
    });
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
        const { expression } = binding;
        if (expression.kind === 'reference') {
          // The body of a class reads the module's name until it has bound its own name: `api = api`.
          const scopes = facts.scopes[scope]!.kind === 'class' ? [scope, 0] : [scope];
          for (const from of scopes) {
            const followed = this.resolve(facts.file, from, expression.path, trail);
            if (followed.length > 0) return followed;
          }
        }
        return [{ ...binding, file: facts.file, scope }];
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

  /** A module's own names take precedence over its submodules, as in Python. */
  #moduleMember(stem: string, name: string, trail: Trail): Entity[] {
    return this.#once(`${stem}!${name}`, trail, (next) => {
      const file = this.modules.fileOf(stem);
      const own = file === null ? [] : this.#inScope(file, 0, name, next);
      if (own.length > 0) return own;
      const child = this.modules.child(stem, name);
      return child === null ? [] : [{ kind: 'module', stem: child }];
    });
  }

  #starMember(target: ImportTarget, from: string, name: string, trail: Trail): Entity[] {
    const entity = this.#moduleEntity(target, from);
    // A star import from another package may bind any name; only the names in toolkit_sdk are known.
    if (entity.kind === 'sdk')
      return SDK_NAMES.has(name) ? [{ kind: 'sdk', path: [...entity.path, name] }] : [];
    if (entity.kind !== 'module') return [];
    const file = this.modules.fileOf(entity.stem);
    const facts = file === null ? null : this.factsOf(file);
    return isExported(facts, name) ? this.#moduleMember(entity.stem, name, trail) : [];
  }
}

/** The statements that a worker reaches; all statements if it reaches none. */
function reached(sources: readonly Source[]): readonly Source[] {
  if (sources.length < 2) return sources;
  const run = sources.filter(({ guard }) => isRun(guard));
  const tried = run.filter(({ guard }) => guard !== 'fallback');
  // A handler of a failed import counts only if it is unknown what the import binds.
  if (tried.length > 0 && tried.every(({ entities }) => entities.length > 0 && entities.every(isKnown)))
    return tried;
  return run.length > 0 ? run : sources;
}

function isKnown({ kind }: Entity): boolean {
  return kind !== 'external' && kind !== 'opaque';
}

/**
 * Without star imports, all bindings of a name count. Otherwise, the last certain binding replaces the star
 * imports before it; if it is a star import itself, it replaces all bindings before it.
 */
function lasting(sources: readonly Source[]): readonly Source[] {
  if (!sources.some(({ isStar }) => isStar)) return sources;
  const sorted = sources.toSorted((a, b) => comparePositions(a.start, b.start));
  const last = sorted.findLast(({ guard, conditional }) => guard === null && !conditional);
  const from = last ? sorted.indexOf(last) : 0;
  const isOwnLast = last !== undefined && !last.isStar;
  return sorted.filter(({ isStar }, at) => at >= from || (isOwnLast && !isStar));
}

/** Removes duplicates, which arise when several paths lead to an entity. */
function distinct(entities: readonly Entity[]): Entity[] {
  if (entities.length < 2) return [...entities];
  return [...new Map(entities.map((entity) => [identityOf(entity), entity])).values()];
}

/** Equal for entities that refer to the same thing. */
function identityOf(entity: Entity): unknown {
  switch (entity.kind) {
    case 'sdk':
    case 'external':
      return `${entity.kind}:${entity.path.join('.')}`;
    case 'module':
      return `module:${entity.stem}`;
    case 'value':
      return entity.expression;
    case 'definition':
      return entity.definition;
    case 'opaque':
      return entity.kind;
  }
}

const SDK_NAMES: ReadonlySet<string> = new Set(['Endpoint', 'GpuGroup', 'GpuType', 'CpuInstanceType']);
