/** A reading with mistakes → the affected endpoints, which keep their last good version. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { ToolkitError } from '../contract/errors.ts';
import type { ProjectReading } from '../source/reading.ts';
import type { SyntaxFault } from '../source/syntax/findFault.ts';

/** Declarations by endpoint name: load-balanced ones may share a name. */
export type DeclarationsByName = ReadonlyMap<string, readonly Endpoint[]>;

/** The declared endpoints, and the faults that prevent some of them from being built. */
interface Declared {
  endpoints: DeclarationsByName;
  /** By endpoint name. */
  faults: Map<string, ToolkitError>;
}

/**
 * Finds the endpoints that a mistake affects. A mistake affects an endpoint if its file declares the endpoint, declared
 * it last, or is imported by the endpoint's code. An affected endpoint keeps its last good declarations, so that its
 * peers can still call it.
 *
 * @param kept - The last good declarations.
 * @param faulty - Saved files with a syntax error, including those that do not mention endpoints.
 */
export async function endpointFaults(
  reading: ProjectReading,
  kept: DeclarationsByName,
  faulty: ReadonlyMap<string, SyntaxFault>,
): Promise<Declared> {
  const mistakes: Mistakes = new Map([...faulty].map(([file, fault]) => [file, { ...fault, file }]));
  for (const one of reading.diagnostics.filter(isFault).toReversed()) mistakes.set(one.file, one);
  const endpoints = new Map<string, readonly Endpoint[]>();
  const faults = new Map<string, ToolkitError>();
  const named = Map.groupBy(reading.endpoints, ({ name }) => name);
  for (const name of new Set([...named.keys(), ...kept.keys()])) {
    if (name === null) continue;
    const declared = named.get(name) ?? [];
    const good = kept.get(name);
    // Several files can declare a load-balanced endpoint. What a file declares is unknown while it has a mistake.
    const before = declared.length === 0 || declared[0]!.kind === 'load-balanced' ? (good ?? []) : [];
    const mistake = (await mistakeOf(declared, reading, mistakes)) ?? mistakeIn(before, mistakes);
    if (mistake) faults.set(name, asError(mistake));
    // Without good declarations the first one has to do: several might contradict each other.
    const current = mistake ? (good ?? declared.slice(0, 1)) : declared;
    if (current.length > 0) endpoints.set(name, current);
  }
  return { endpoints, faults };
}

type Mistake = Pick<Diagnostic, 'file' | 'range' | 'message' | 'fix'>;

/** The first mistake of each file. */
type Mistakes = Map<string, Mistake>;

/** The first mistake in the files that declare an endpoint. */
function mistakeIn(declarations: readonly Endpoint[], mistakes: Mistakes): Mistake | undefined {
  return filesOf(declarations)
    .map((file) => mistakes.get(file))
    .find((found) => found !== undefined);
}

/** The files of an endpoint's declarations, functions and routes. */
function filesOf(declarations: readonly Endpoint[]): string[] {
  return declarations.flatMap((one) => [one, ...one.functions, ...one.routes]).map(({ file }) => file);
}

/** The first mistake in the files of an endpoint and in the files they import. */
async function mistakeOf(
  declarations: readonly Endpoint[],
  reading: ProjectReading,
  mistakes: Mistakes,
): Promise<Mistake | null> {
  if (mistakes.size === 0) return null;
  const declaring = new Set(reading.endpoints.map(({ file }) => file));
  const waiting = filesOf(declarations);
  const seen = new Set<string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const mistake = mistakes.get(file);
    if (mistake) return mistake;
    if (!file.endsWith('.py')) continue;
    const imports = await reading.importsOf(file).catch(() => []);
    // A function that imports another endpoint's module gets a stub of it.
    for (const one of imports)
      if (one.file !== null && (one.scope.kind === 'module' || !declaring.has(one.file)))
        waiting.push(one.file);
  }
  return null;
}

/** A value known only at run time is a hint elsewhere, but here it is a fault: nothing can be built from it. */
function isFault({ severity, code }: Diagnostic): boolean {
  return severity === 'error' || code === 'dynamic-value';
}

function asError({ file, range: { start }, message, fix }: Mistake): ToolkitError {
  const place = `${file}:${start.line + 1}:${start.character + 1}`;
  return new ToolkitError('PROJECT_HAS_ERRORS', `${place}: ${message}`, { hint: fix });
}
