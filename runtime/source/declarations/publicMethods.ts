/** A served class → its public methods, as toolkit_sdk counts them when the module is imported. */
import { bindingsOf } from '../binder/bindings.ts';
import type { Binding, Definition, FileFacts } from '../binder/FileFacts.ts';
import { isRun } from '../binder/reach.ts';

/** Longest chain of names of a class body that refer to each other. */
const MAX_CHAIN = 20;
/** Decorators that make a function an attribute that is not called with the function's arguments. */
const NOT_CALLED = /^(?:property|cached_property|setter|getter|deleter|singledispatchmethod|partialmethod)$/;

/**
 * The methods of the class's own body, one per name. Inherited methods, properties, `close` and names that begin with
 * an underscore do not count. Static and class methods count, though only a method of the instance can be served.
 */
export function publicMethods(definition: Definition, facts: FileFacts | null): Definition[] {
  const names = Object.keys(facts?.scopes[definition.body]?.bindings ?? {});
  return names.flatMap((name) => {
    const method = name.startsWith('_') || name === 'close' ? null : methodOf(definition, name, facts!);
    return method && !hasDecorator(method, NOT_CALLED) ? [method] : [];
  });
}

/** The function that a name of the class's body finally refers to, under that name; null for anything else. */
export function methodOf(owner: Definition, name: string, facts: FileFacts): Definition | null {
  return boundIn(owner, name, facts).at(-1)?.kind === 'deleted'
    ? null
    : functionBehind(owner, name, facts, 0);
}

/** The bindings of a name in a class body that a worker runs. */
function boundIn({ body }: Definition, name: string, { scopes, definitions }: FileFacts): readonly Binding[] {
  return bindingsOf(scopes[body]!.bindings, name).filter((binding) => {
    const bound = binding.kind === 'definition' ? definitions[binding.definition]! : binding;
    return !('guard' in bound) || isRun(bound.guard);
  });
}

/** Ignores `del`: before it, the name may have given its function to other names. */
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

/** The class's name, dotted if it is inside another class. */
export function qualifiedName(definition: Definition, facts: FileFacts | null): string {
  return facts?.scopes[definition.body]?.name || definition.name;
}

function hasDecorator({ decorators }: Definition, name: RegExp): boolean {
  return decorators.some(({ path }) => name.test(path?.at(-1) ?? ''));
}
