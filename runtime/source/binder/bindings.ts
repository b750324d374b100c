/** Bindings of names, stored by name in source order. */
import type { Position } from '../../contract/diagnostic.ts';
import type { Binding, Definition } from './FileFacts.ts';
import { type Reach, reachOf } from './reach.ts';

/** The bindings of a name; empty if there are none. */
export function bindingsOf(bindings: Record<string, Binding[]>, name: string): readonly Binding[] {
  return Object.hasOwn(bindings, name) ? bindings[name]! : [];
}

/**
 * Generated tables may bind one name many times; the first bindings already show that it has no single value.
 */
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

/** The position of a binding in its scope. A binding without a position may happen at any time. */
export function placeOf(binding: Binding, definitions: readonly Definition[]): Reach & { start: Position } {
  switch (binding.kind) {
    case 'value':
      return { ...reachOf(binding), start: binding.expression.range.start };
    case 'definition': {
      const definition = definitions[binding.definition]!;
      return { ...reachOf(definition), start: definition.nameRange.start };
    }
    case 'module':
    case 'member':
      return { ...reachOf(binding), start: binding };
    default:
      return { guard: null, conditional: true, start: { line: Number.MAX_SAFE_INTEGER, character: 0 } };
  }
}
