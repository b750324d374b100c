/** A class as a declaration → the methods that it offers, as toolkit_sdk counts them when the module is imported. */
import type { Definition, FileFacts } from '../binder/FileFacts.ts';

/**
 * Methods of the class's own body, one per name: inherited ones, properties, `close` and those with an underscore are
 * none. Static and class methods count, though only a method of the instance can be served.
 */
export function publicMethods(definition: Definition, facts: FileFacts | null): Definition[] {
  if (!facts) return [];
  const methods = new Map<string, Definition>();
  for (const method of facts.definitions) {
    if (method.scope !== definition.body || method.kind !== 'function') continue;
    if (method.name.startsWith('_') || method.name === 'close') continue;
    const isProperty = hasDecorator(method, /^(?:property|cached_property|setter|getter|deleter)$/);
    // The last of one name is the one that the class has.
    if (!isProperty) methods.set(method.name, method);
  }
  return [...methods.values()];
}

/** Whether a method is called without an instance. */
export function isUnbound(method: Definition): boolean {
  return hasDecorator(method, /^(?:staticmethod|classmethod)$/);
}

/** Parameters that the class's own `__init__` needs; a worker makes the instance without arguments. */
export function neededToMake(definition: Definition, facts: FileFacts | null): string[] {
  const initializer = facts?.definitions.findLast(
    ({ scope, name }) => scope === definition.body && name === '__init__',
  );
  const given = initializer?.parameters.slice(1) ?? [];
  return given.filter(({ required }) => required).map(({ name }) => name);
}

/** The class's name, dotted when it stands inside of another. */
export function qualifiedName(definition: Definition, facts: FileFacts | null): string {
  return facts?.scopes[definition.body]?.name || definition.name;
}

function hasDecorator({ decorators }: Definition, name: RegExp): boolean {
  return decorators.some(({ path }) => name.test(path?.at(-1) ?? ''));
}
