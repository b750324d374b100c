/** A class as a declaration → the methods that it offers, as toolkit_sdk counts them when the module is imported. */
import { bindingsOf } from '../binder/bindings.ts';
import type { Binding, Definition, FileFacts } from '../binder/FileFacts.ts';
import { isRun } from '../binder/reach.ts';

/** Longest chain of names of a class body that stand for each other. */
const MAX_CHAIN = 20;
/** What makes an attribute of a function that is not called with arguments of its own. */
const NOT_CALLED = /^(?:property|cached_property|setter|getter|deleter|singledispatchmethod|partialmethod)$/;

/**
 * Methods that the class's own body leaves, one per name: inherited ones, properties, `close` and those with an
 * underscore do not count. Static and class methods count, though only a method of the instance can be served.
 */
export function publicMethods(definition: Definition, facts: FileFacts | null): Definition[] {
  const names = Object.keys(facts?.scopes[definition.body]?.bindings ?? {});
  return names.flatMap((name) => {
    const method = name.startsWith('_') || name === 'close' ? null : methodOf(definition, name, facts!);
    return method && !hasDecorator(method, NOT_CALLED) ? [method] : [];
  });
}

/** The function of the class's body that one of its names is in the end, by that name; null for anything else. */
export function methodOf(owner: Definition, name: string, facts: FileFacts): Definition | null {
  return boundIn(owner, name, facts).at(-1)?.kind === 'deleted'
    ? null
    : functionBehind(owner, name, facts, 0);
}

/** What a class body binds a name to, where a worker runs it. */
function boundIn({ body }: Definition, name: string, { scopes, definitions }: FileFacts): readonly Binding[] {
  return bindingsOf(scopes[body]!.bindings, name).filter((binding) => {
    const bound = binding.kind === 'definition' ? definitions[binding.definition]! : binding;
    return !('guard' in bound) || isRun(bound.guard);
  });
}

/** A name that is deleted later has given its function to other names before. */
function functionBehind(owner: Definition, name: string, facts: FileFacts, depth: number): Definition | null {
  const last = boundIn(owner, name, facts).findLast(({ kind }) => kind !== 'deleted');
  if (last?.kind === 'definition') {
    const definition = facts.definitions[last.definition]!;
    return definition.kind === 'function' ? definition : null;
  }
  if (last?.kind !== 'value' || depth > MAX_CHAIN) return null;
  const { expression } = last;
  const given = expression.kind === 'call' ? expression.call.arguments[0]?.value : expression;
  if (given?.kind !== 'reference' || given.path.length > 1) return null;
  const found = functionBehind(owner, given.path[0]!, facts, depth + 1);
  if (!found || expression.kind !== 'call') return found && { ...found, name };
  const { callee: path, calleeRange: pathRange, range } = expression.call;
  return { ...found, name, decorators: [...found.decorators, { path, pathRange, call: null, range }] };
}

/** Whether a method is called without an instance. */
export function isUnbound(method: Definition): boolean {
  return hasDecorator(method, /^(?:staticmethod|classmethod)$/);
}

/** The class's name, dotted when it stands inside of another. */
export function qualifiedName(definition: Definition, facts: FileFacts | null): string {
  return facts?.scopes[definition.body]?.name || definition.name;
}

function hasDecorator({ decorators }: Definition, name: RegExp): boolean {
  return decorators.some(({ path }) => name.test(path?.at(-1) ?? ''));
}
