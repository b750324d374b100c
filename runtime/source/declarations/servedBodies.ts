/** Declarations → the definitions whose bodies workers run, each once, with all declarations that it serves. */
import type { Definition, FileFacts } from '../binder/FileFacts.ts';
import type { Declaration, ServedDefinition } from './Declaration.ts';

export interface ServedBody extends ServedDefinition {
  declarations: readonly Declaration[];
}

/**
 * In order of declaration. What stands where no worker runs it has a finding of its own and is none of these.
 *
 * @param before - What was known of a definition: it stays the same object while it says the same.
 */
export function bodiesOf(
  declarations: readonly Declaration[],
  before: (definition: Definition) => ServedBody | undefined,
): Map<Definition, ServedBody> {
  const bodies = new Map<Definition, ServedBody>();
  for (const declaration of declarations) {
    for (const { file, definition } of [...declaration.served, ...declaration.routes]) {
      if (definition.guard === 'main' || definition.guard === 'type-checking') continue;
      const known = bodies.get(definition)?.declarations ?? [];
      if (!known.includes(declaration))
        bodies.set(definition, { file, definition, declarations: [...known, declaration] });
    }
  }
  for (const [definition, { declarations: all }] of bodies) {
    const known = before(definition);
    if (known?.declarations.length === all.length && all.every((one, at) => one === known.declarations[at]))
      bodies.set(definition, known);
  }
  return bodies;
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
