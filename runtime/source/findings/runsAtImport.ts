/** Which statements of a module are run while it is imported, rather than when one of its functions is called. */
import type { FileFacts } from '../binder/FileFacts.ts';

/** Whether the statements of a scope are: those of the module itself, and of classes that stand in no function. */
export function runsAtImport({ scopes }: FileFacts, scope: number): boolean {
  for (let at: number | null = scope; at !== null; at = scopes[at]!.parent) {
    if (scopes[at]!.kind === 'function') return false;
  }
  return true;
}
