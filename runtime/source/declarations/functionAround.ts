/** A scope in a file → the function whose call runs the scope. */
import type { FileFacts, Scope } from '../binder/FileFacts.ts';

/**
 * The innermost function around a scope, or the scope itself; null at module level and in the module's
 * classes.
 */
export function functionAround({ scopes }: FileFacts, scope: number): Scope | null {
  for (let at: number | null = scope; at !== null; at = scopes[at]!.parent)
    if (scopes[at]!.kind === 'function') return scopes[at]!;
  return null;
}
