/**
 * A class → the arguments that its constructor requires, including inherited ones, determined in the same way
 * as toolkit_sdk does.
 */
import type { Definition } from '../binder/FileFacts.ts';
import type { NameResolver } from './NameResolver.ts';
import { methodOf } from './publicMethods.ts';

/** The longest chain of bases that is followed. */
const MAX_CHAIN = 30;
/** Annotations in the body of a dataclass that are not fields. */
const NOT_A_FIELD = /^["']?(?:\w+\.)*(?:ClassVar|KW_ONLY)\b/;

/**
 * Empty if no argument is required, or if that cannot be known, because of a base in another package or a
 * decorated method.
 */
export function instanceArguments(names: NameResolver, file: string, definition: Definition): string[] {
  const needed = ['__new__', '__init__'].map((method) => neededBy(names, file, definition, method) ?? []);
  return needed.find((list) => list.length > 0) ?? [];
}

/** Undefined if neither the class nor its bases have the method. */
function neededBy(
  names: NameResolver,
  file: string,
  owner: Definition,
  method: string,
  depth = 0,
): string[] | undefined {
  const facts = names.factsOf(file);
  if (!facts || depth > MAX_CHAIN) return [];
  if (Object.hasOwn(facts.scopes[owner.body]!.bindings, method)) {
    const own = methodOf(owner, method, facts);
    if (!own || own.decorators.some(({ path }) => path?.join('.') !== 'staticmethod')) return [];
    const [first, ...rest] = own.parameters;
    const given = first?.kind === 'var-positional' ? own.parameters : rest;
    return given.filter(({ required }) => required).map(({ name }) => name);
  }
  if (method === '__init__' && makesInitializer(names, file, owner))
    return [...fieldsOf(names, file, owner)].flatMap(([name, isRequired]) => (isRequired ? [name] : []));
  for (const { path } of owner.bases) {
    const [base, other] = names.resolve(file, owner.scope, path);
    if (!base && path.join('.') === 'object') continue;
    if (base?.kind !== 'definition' || other) return [];
    const needed = neededBy(names, base.file, base.definition, method, depth + 1);
    if (needed) return needed;
  }
  return undefined;
}

/** Whether `@dataclass` adds an `__init__` to the class. */
function makesInitializer(names: NameResolver, file: string, { decorators, scope }: Definition): boolean {
  return decorators.some(({ path, call }) => {
    const [entity] = path ? names.resolve(file, scope, path) : [];
    const isDataclass = entity?.kind === 'external' && entity.path.join('.') === 'dataclasses.dataclass';
    return isDataclass && !call?.arguments.some(({ keyword, value }) => keyword === 'init' && isFalse(value));
  });
}

/** The fields of a dataclass that its `__init__` takes, each with whether it is required. */
function fieldsOf(names: NameResolver, file: string, owner: Definition, depth = 0): Map<string, boolean> {
  const fields = new Map<string, boolean>();
  const scope = names.factsOf(file)?.scopes[owner.body];
  if (!scope || depth > MAX_CHAIN) return fields;
  for (const { path } of owner.bases.toReversed()) {
    const [base] = names.resolve(file, owner.scope, path);
    if (base?.kind !== 'definition' || !makesInitializer(names, base.file, base.definition)) continue;
    for (const [name, isRequired] of fieldsOf(names, base.file, base.definition, depth + 1))
      fields.set(name, isRequired);
  }
  for (const { name, annotation } of scope.fields ?? []) {
    if (NOT_A_FIELD.test(annotation)) continue;
    const value = Object.hasOwn(scope.bindings, name) ? scope.bindings[name]!.at(-1) : undefined;
    const call =
      value?.kind === 'value' &&
      value.expression.kind === 'call' &&
      value.expression.call.callee.at(-1) === 'field'
        ? value.expression.call
        : null;
    const isDefault = call?.arguments.some(({ keyword }) => /^default(?:_factory)?$/.test(keyword ?? ''));
    if (call?.arguments.some((given) => given.keyword === 'init' && isFalse(given.value)))
      fields.delete(name);
    else fields.set(name, call ? !isDefault : value === undefined);
  }
  return fields;
}

function isFalse(value: { kind: string; value?: unknown }): boolean {
  return value.kind === 'boolean' && value.value === false;
}
