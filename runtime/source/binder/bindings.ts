/** Names → what they are bound to, kept by name in the order of their bindings. */
import type { Binding } from './FileFacts.ts';

/** What binds a name; empty when nothing does. */
export function bindingsOf(bindings: Record<string, Binding[]>, name: string): readonly Binding[] {
  return Object.hasOwn(bindings, name) ? bindings[name]! : [];
}

/** Adds bindings of a name, which may be `__proto__`. */
export function addBindings(
  bindings: Record<string, Binding[]>,
  name: string,
  added: readonly Binding[],
): void {
  if (Object.hasOwn(bindings, name)) bindings[name]!.push(...added);
  else
    Object.defineProperty(bindings, name, {
      value: [...added],
      enumerable: true,
      configurable: true,
      writable: true,
    });
}
