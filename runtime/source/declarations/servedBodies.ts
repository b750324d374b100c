/**
 * Declarations → the definitions in a file whose bodies workers run, each once, with all declarations that
 * serve it.
 */
import type { Definition, FileFacts } from '../binder/FileFacts.ts';
import { isRun } from '../binder/reach.ts';
import type { Declaration, ServedDefinition } from './Declaration.ts';

export interface ServedBody extends ServedDefinition {
  declarations: readonly Declaration[];
}

/**
 * In order of declaration. Leaves out definitions that no worker runs, which have their own finding.
 *
 * @param declarations - The declarations that have a function or route in the file.
 */
export function servedBodies(file: string, declarations: readonly Declaration[]): readonly ServedBody[] {
  const serving = new Map<Definition, Set<Declaration>>();
  for (const declaration of declarations) {
    if (declaration.alternative === 'unused') continue;
    for (const { file: place, definition } of [...declaration.served, ...declaration.routes]) {
      if (place === file && isRun(definition.guard))
        serving.set(definition, (serving.get(definition) ?? new Set()).add(declaration));
    }
  }
  return [...serving].map(([definition, all]) => ({ file, definition, declarations: [...all] }));
}

/** Whether a scope is in the body of a function, or in a method of a class. */
export function isInBody({ kind, body }: Definition, { scopes }: FileFacts, scope: number): boolean {
  let runsLater = kind === 'function';
  for (let at: number | null = scope; at !== null; at = scopes[at]!.parent) {
    if (at === body) return runsLater;
    runsLater ||= scopes[at]!.kind === 'function';
  }
  return false;
}
