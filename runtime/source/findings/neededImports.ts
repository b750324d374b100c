/** Which import statements of a file must succeed, and which of them run when the module is imported. */
import type { FileFacts, Import } from '../binder/FileFacts.ts';

/** Imports that must succeed: all but those that are allowed to fail and those that no worker runs. */
export function neededImports({ imports }: FileFacts): Import[] {
  return imports.filter(({ guard }) => guard === null);
}

/**
 * Whether the statements of a scope run while the module is imported: true for the module itself and for
 * classes outside functions.
 */
export function runsAtImport({ scopes }: Pick<FileFacts, 'scopes'>, scope: number): boolean {
  for (let at: number | null = scope; at !== null; at = scopes[at]!.parent) {
    if (scopes[at]!.kind === 'function') return false;
  }
  return true;
}
