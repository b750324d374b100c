/** Declarations → the definitions whose bodies workers run, each once, with all declarations that it serves. */
import type { Definition, FileFacts } from '../binder/FileFacts.ts';
import type { Declaration, ServedDefinition } from '../declarations/Declaration.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';

export interface ServedBody extends ServedDefinition {
  declarations: Declaration[];
}

/** In order of declaration. What stands where no worker runs it has a finding of its own and is none of these. */
export function servedBodies({ declarations }: ProjectIndex): ServedBody[] {
  const bodies = new Map<Definition, ServedBody>();
  for (const declaration of declarations) {
    for (const { file, definition } of [...declaration.served, ...declaration.routes]) {
      if (definition.guard === 'main' || definition.guard === 'type-checking') continue;
      const known = bodies.get(definition);
      if (!known) bodies.set(definition, { file, definition, declarations: [declaration] });
      else if (!known.declarations.includes(declaration)) known.declarations.push(declaration);
    }
  }
  return [...bodies.values()];
}

/** Whether a scope is run with the body of a definition: of a class, with one of its methods. */
export function isInBody({ kind, body }: Definition, { scopes }: FileFacts, scope: number): boolean {
  let runsLater = kind === 'function';
  for (let at: number | null = scope; at !== null; at = scopes[at]!.parent) {
    if (at === body) return runsLater;
    runsLater ||= scopes[at]!.kind === 'function';
  }
  return false;
}
