/** A name of one scope of one file, and the names that it comes from by way of imports. */
import type { NameResolver } from '../index/NameResolver.ts';
import type { NameUse } from './nameUses.ts';
import { isHidden, ownerOf, type UseScope } from './UseScope.ts';

/** A name that a scope binds; `scope` is one of the file's facts. */
export interface Slot {
  file: string;
  scope: number;
  name: string;
}

/** Longest chain of re-exports that is followed. */
const MAX_CHAIN = 50;

/** Whether two slots are one. */
export function isSameSlot(a: Slot, b: Slot): boolean {
  return a.file === b.file && a.scope === b.scope && a.name === b.name;
}

/**
 * Where the things that a slot stands for got their names: the slot itself, or those that its imports lead to. Several
 * when it is bound more than once; none when nothing binds it.
 */
export function originsOf(names: NameResolver, slot: Slot, depth = 0): Slot[] {
  const facts = names.factsOf(slot.file);
  const scope = facts?.scopes[slot.scope];
  if (!facts || !scope || depth > MAX_CHAIN) return [];
  const bindings = Object.hasOwn(scope.bindings, slot.name) ? scope.bindings[slot.name]! : [];
  const found = bindings.flatMap((binding) => {
    if (binding.kind !== 'member') return [slot];
    const stem = names.modules.resolve(binding.target, slot.file);
    const file = stem === null ? null : names.modules.fileOf(stem);
    const origins = file === null ? [] : originsOf(names, { file, scope: 0, name: binding.name }, depth + 1);
    return origins.length > 0 ? origins : [slot];
  });
  if (bindings.length > 0 || slot.name.startsWith('_')) return unique(found);
  return unique(
    scope.stars.flatMap((target) => {
      const stem = names.modules.resolve(target, slot.file);
      const file = stem === null ? null : names.modules.fileOf(stem);
      return file === null ? [] : originsOf(names, { file, scope: 0, name: slot.name }, depth + 1);
    }),
  );
}

/** The origins of what one use of a name in a file means. */
export function originsOfUse(names: NameResolver, file: string, name: string, use: NameUse): Slot[] {
  if (use.role === 'attribute')
    return use.path ? attributeOrigins(names, file, name, use.path, use.scope) : [];
  if (use.role === 'imported-as') return originsOfAlias(names, file, name, use);
  const owner = ownerOf(use.scope);
  if (owner) return owner.isInFacts ? originsOf(names, { file, scope: owner.facts, name }) : [];
  // Only a star import can have brought it in.
  for (let scope: UseScope | null = use.scope; scope !== null; scope = scope.parent) {
    if (!scope.isInFacts || (scope.kind === 'class' && scope !== use.scope)) continue;
    const origins = originsOf(names, { file, scope: scope.facts, name });
    if (origins.length > 0) return origins;
  }
  return [];
}

/** Of `from m import name as other` it is what the module's name stands for. */
function originsOfAlias(names: NameResolver, file: string, name: string, { scope, path }: NameUse): Slot[] {
  const other = path?.[0];
  const bindings =
    other === undefined ? [] : (names.factsOf(file)?.scopes[scope.facts]?.bindings[other] ?? []);
  return unique(
    bindings.flatMap((binding) => {
      if (binding.kind !== 'member' || binding.name !== name) return [];
      const stem = names.modules.resolve(binding.target, file);
      const source = stem === null ? null : names.modules.fileOf(stem);
      return source === null ? [] : originsOf(names, { file: source, scope: 0, name });
    }),
  );
}

/** `module.name`, and `Class.name` of a class of the project. */
function attributeOrigins(
  names: NameResolver,
  file: string,
  name: string,
  path: readonly string[],
  scope: UseScope,
): Slot[] {
  if (isHidden(path[0]!, scope)) return [];
  return unique(
    names.resolve(file, scope.facts, path).flatMap((entity) => {
      if (entity.kind === 'module') {
        const module = names.modules.fileOf(entity.stem);
        return module === null ? [] : originsOf(names, { file: module, scope: 0, name });
      }
      if (entity.kind !== 'definition' || entity.definition.kind !== 'class') return [];
      return originsOf(names, { file: entity.file, scope: entity.definition.body, name });
    }),
  );
}

function unique(slots: readonly Slot[]): Slot[] {
  return slots.filter((slot, at) => slots.findIndex((other) => isSameSlot(slot, other)) === at);
}
