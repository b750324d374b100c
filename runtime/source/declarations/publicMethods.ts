/** A served class → its public methods, counted like toolkit_sdk does when the module is imported. */
import type { Position } from '../../contract/diagnostic.ts';
import { bindingsOf } from '../binder/bindings.ts';
import type { Expression } from '../binder/Expression.ts';
import type { Binding, Definition, FileFacts } from '../binder/FileFacts.ts';
import { isRun } from '../binder/reach.ts';
import { comparePositions } from '../syntax/range.ts';
import { keepsFunction } from './keepsFunction.ts';
import type { NameResolver } from './NameResolver.ts';

/** Decorators that turn a function into an attribute that is not called with the function's arguments. */
const NOT_CALLED = /^(?:property|cached_property|setter|getter|deleter|singledispatchmethod|partialmethod)$/;

/**
 * The methods in the class's own body, one per name, certain methods first. Inherited methods, properties,
 * `close` and names that begin with an underscore do not count. Static and class methods count, although only
 * an instance method can be served.
 */
export function publicMethods(names: NameResolver, file: string, definition: Definition): Definition[] {
  const facts = names.factsOf(file);
  const bound = Object.keys(facts?.scopes[definition.body]?.bindings ?? {});
  const methods = bound.flatMap((name) => {
    if (name.startsWith('_') || name === 'close') return [];
    const method = methodOf(definition, name, facts!) ?? madeMethod(names, facts!, definition, name);
    return method && !hasDecorator(method, NOT_CALLED) ? [method] : [];
  });
  const [certain, others] = [true, false].map((wanted) =>
    methods.filter((method) => isCertain(names, file, method) === wanted),
  );
  return [...certain!, ...others!];
}

/** A method that a function in the project may create, as in `run = make()`. Its parameters are not known. */
function madeMethod(
  names: NameResolver,
  facts: FileFacts,
  owner: Definition,
  name: string,
): Definition | null {
  const made = boundIn(owner, name, facts).at(-1);
  if (made?.kind !== 'value' || made.expression.kind !== 'call') return null;
  const { callee: path, calleeRange: range } = made.expression.call;
  const [maker] = names.resolve(facts.file, owner.body, path);
  if (maker?.kind !== 'definition' || maker.definition.kind !== 'function') return null;
  const rest = { annotation: null, default: null, required: false };
  return {
    ...owner,
    kind: 'function',
    name,
    nameRange: range,
    scope: owner.body,
    line: range.start.line + 1,
    description: null,
    decorators: [{ path, pathRange: range, call: null, range }],
    parameters: [
      { ...rest, name: 'args', kind: 'var-positional' },
      { ...rest, name: 'kwargs', kind: 'var-keyword' },
    ],
  };
}

/**
 * Whether a definition is certainly a method of its class: an unknown decorator may turn it into an
 * attribute.
 */
export function isCertain(names: NameResolver, file: string, { decorators, scope }: Definition): boolean {
  return keepsFunction(names, { file, scope }, decorators);
}

/**
 * The function that a name in the class's body refers to in the end, renamed to that name; null for anything
 * else.
 */
export function methodOf(owner: Definition, name: string, facts: FileFacts): Definition | null {
  const bound = boundIn(owner, name, facts);
  return bound.at(-1)?.kind === 'deleted' ? null : functionBehind(owner, name, facts, bound);
}

/** The bindings of a name in a class body, without those that no worker runs. */
function boundIn({ body }: Definition, name: string, { scopes, definitions }: FileFacts): readonly Binding[] {
  return bindingsOf(scopes[body]!.bindings, name).filter((binding) => {
    const bound = binding.kind === 'definition' ? definitions[binding.definition]! : binding;
    return !('guard' in bound) || isRun(bound.guard);
  });
}

/**
 * Ignores `del`: before it, the function may have been assigned to other names. Setting attributes of a
 * function does not change what it is.
 *
 * @param bound - The bindings of the name to consider.
 */
function functionBehind(
  owner: Definition,
  name: string,
  facts: FileFacts,
  bound: readonly Binding[],
): Definition | null {
  const at = bound.findLastIndex(({ kind }) => kind !== 'deleted' && kind !== 'changed');
  const last = bound[at];
  if (last?.kind === 'definition') {
    const definition = facts.definitions[last.definition]!;
    return definition.kind === 'function' ? definition : null;
  }
  if (last?.kind !== 'value' && last?.kind !== 'opaque') return null;
  const expression = last.kind === 'value' ? last.expression : null;
  const source = expression ? sourceOf(expression, name) : name;
  if (source === null) return null;
  const before =
    source === name
      ? bound.slice(0, at)
      : boundIn(owner, source, facts).filter((one) => startsBefore(one, expression!.range.start, facts));
  const found = functionBehind(owner, source, facts, before);
  if (!found || expression?.kind === 'reference') return found && { ...found, name };
  const { callee: path, calleeRange: pathRange } =
    expression?.kind === 'call' ? expression.call : { callee: null, calleeRange: found.nameRange };
  return {
    ...found,
    name,
    decorators: [...found.decorators, { path, pathRange, call: null, range: pathRange }],
  };
}

/**
 * The name in the class body whose function the value is or is made from; `name` if the expression is not
 * understood. Null if the value is not a function.
 */
function sourceOf(expression: Expression, name: string): string | null {
  switch (expression.kind) {
    case 'reference':
      return expression.path.length === 1 ? expression.path[0]! : null;
    case 'call': {
      const [first] = expression.call.arguments;
      return first?.value.kind === 'reference' ? sourceOf(first.value, name) : name;
    }
    case 'method':
    case 'attribute':
    case 'subscript':
    case 'opaque':
      return name;
    default:
      return null;
  }
}

function startsBefore(binding: Binding, position: Position, { definitions }: FileFacts): boolean {
  if (binding.kind !== 'definition' && binding.kind !== 'value') return true;
  const range =
    binding.kind === 'value' ? binding.expression.range : definitions[binding.definition]!.nameRange;
  return comparePositions(range.start, position) < 0;
}

/** Whether a method is called without an instance. */
export function isUnbound(method: Definition): boolean {
  return hasDecorator(method, /^(?:staticmethod|classmethod)$/);
}

/** The name of a class, dotted if the class is inside another class. */
export function qualifiedName(definition: Definition, facts: FileFacts | null): string {
  return facts?.scopes[definition.body]?.name || definition.name;
}

function hasDecorator({ decorators }: Definition, name: RegExp): boolean {
  return decorators.some(({ path }) => name.test(path?.at(-1) ?? ''));
}
