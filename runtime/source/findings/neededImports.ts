/** Which import statements of a file must succeed when they run, and which of them run with the module. */
import type { FileFacts, Import } from '../binder/FileFacts.ts';

/** The imports that must succeed: not those that may fail, or that no worker runs. */
export function neededImports({ imports }: FileFacts): Import[] {
  return imports.filter(({ guard }) => guard === null);
}

/**
 * Whether the statements of a scope run while the module is imported: the module's own, and those of classes outside
 * functions.
 */
export function runsAtImport({ scopes }: Pick<FileFacts, 'scopes'>, scope: number): boolean {
  for (let at: number | null = scope; at !== null; at = scopes[at]!.parent) {
    if (scopes[at]!.kind === 'function') return false;
  }
  return true;
}
