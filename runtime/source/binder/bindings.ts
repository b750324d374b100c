/** Names → what they are bound to, kept by name in the order of their bindings. */
import type { Binding } from './FileFacts.ts';

/** The bindings of a name; empty if there are none. */
export function bindingsOf(bindings: Record<string, Binding[]>, name: string): readonly Binding[] {
  return Object.hasOwn(bindings, name) ? bindings[name]! : [];
}

/** Generated tables may bind one name over and over; the first bindings already show that it has no single value. */
const MOST_BINDINGS = 100;

/** Adds bindings of a name, which may be `__proto__`. */
export function addBindings(
  bindings: Record<string, Binding[]>,
  name: string,
  added: readonly Binding[],
): void {
  const known = Object.hasOwn(bindings, name) ? bindings[name]! : null;
  if (known) known.push(...added.slice(0, MOST_BINDINGS - known.length));
  else if (name !== '__proto__') bindings[name] = added.slice(0, MOST_BINDINGS);
  else Object.defineProperty(bindings, name, { ...OWN, value: added.slice(0, MOST_BINDINGS) });
}

const OWN = { enumerable: true, configurable: true, writable: true } as const;
