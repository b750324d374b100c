/**
 * Finds lists and dicts of a module that code changes in place, so that their literals do not show their
 * values.
 */
import { addBindings, bindingsOf } from './bindings.ts';
import type { Binding, Scope } from './FileFacts.ts';

/** Functions that create a list, a dict or a set. */
const CONTAINERS: ReadonlySet<string> = new Set(['list', 'dict', 'set']);
/** The longest chain of names that is followed. */
const MAX_CHAIN = 50;

/** Methods that change a list or dict in place, so that its literal no longer shows its value. */
const METHODS = 'append|extend|insert|update|setdefault|pop|popitem|remove|clear|add|discard|sort|reverse';
const CHANGING_METHOD = new RegExp(`^(?:${METHODS})$`);
/** `NAME[` and `NAME.append(`. */
const MAY_CHANGE = new RegExp(
  String.raw`([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)\s*(?:\[|\.\s*(?:${METHODS})\s*\()`,
  'g',
);

/** Whether a method changes a list or dict in place. */
export function isChanging(method: string): boolean {
  return CHANGING_METHOD.test(method);
}

/** Names whose values a text may change in place, found by a text search. */
export function namesPerhapsChanged(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(MAY_CHANGE), ([, name]) => name!))];
}

/** Whether a change through a name with this binding may change a list or dict. */
export function mayChange(binding: Binding): boolean {
  return isContainer(binding) || aliasOf(binding) !== null;
}

/**
 * The module's scope, with changes by its functions and changes through another name (`more = NAMES`) added.
 *
 * @param changed - Names whose values are changed by statements of the module.
 * @param inFunctions - Names whose values are changed by functions and classes.
 */
export function withChanges(
  module: Scope,
  changed: ReadonlySet<string>,
  inFunctions: readonly string[],
): Scope {
  const { bindings } = module;
  const origins = [...changed, ...inFunctions].map((name) => originOf(bindings, name));
  const found = new Set(origins).difference(changed);
  const more: Scope['bindings'] = {};
  for (const name of found) {
    const bound = bindingsOf(bindings, name);
    if (bound.some(isContainer)) addBindings(more, name, [...bound, { kind: 'changed' }]);
  }
  // Copying the names of a large module takes milliseconds.
  return Object.keys(more).length === 0 ? module : { ...module, bindings: { ...bindings, ...more } };
}

/** The first name of a value, found by following names that are each bound once, to another name. */
function originOf(bindings: Scope['bindings'], name: string): string {
  let origin = name;
  for (let depth = 0; depth < MAX_CHAIN; depth += 1) {
    const [only, other] = bindingsOf(bindings, origin).filter((binding) => !isChange(binding));
    const from = only && !other ? aliasOf(only) : null;
    if (from === null) break;
    origin = from;
  }
  return origin;
}

/** Whether a binding represents a change of the name's value in place. */
export function isChange({ kind }: Binding): boolean {
  return kind === 'changed';
}

function isContainer(binding: Binding): boolean {
  if (binding.kind !== 'value') return false;
  const { expression } = binding;
  return expression.kind === 'call'
    ? CONTAINERS.has(expression.call.callee.join('.'))
    : /^(?:sequence|dict|binary)$/.test(expression.kind);
}

/** The name that a binding is an alias of; null if it is not an alias. */
function aliasOf(binding: Binding): string | null {
  if (binding.kind !== 'value' || binding.expression.kind !== 'reference') return null;
  const { path } = binding.expression;
  return path.length === 1 ? path[0]! : null;
}
