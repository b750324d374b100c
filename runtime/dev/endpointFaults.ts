/** A reading with mistakes → the endpoints that they concern: those keep their last good version. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { ToolkitError } from '../contract/errors.ts';
import type { ProjectReading } from '../source/reading.ts';
import type { SyntaxFault } from '../source/syntax/findFault.ts';

/** What is declared, and what keeps endpoints from being built. */
interface Declared {
  endpoints: Endpoint[];
  /** By endpoint name. */
  faults: Map<string, ToolkitError>;
}

/**
 * Finds the endpoints that a mistake concerns: one in a file that declares them or that their code imports.
 *
 * @param kept - The last good declarations: one of a file that cannot be read now is still declared.
 * @param faulty - Saved files that Python cannot read, those among them that say nothing of endpoints.
 */
export async function endpointFaults(
  reading: ProjectReading,
  kept: ReadonlyMap<string, Endpoint>,
  faulty: ReadonlyMap<string, SyntaxFault>,
): Promise<Declared> {
  const mistakes: Mistakes = new Map([...faulty].map(([file, fault]) => [file, { ...fault, file }]));
  for (const one of reading.diagnostics.filter(isFault).toReversed()) mistakes.set(one.file, one);
  const declared = reading.endpoints.filter(({ name }) => name !== null);
  const names = new Set(declared.map(({ name }) => name));
  const lost: Endpoint[] = [];
  const faults = new Map<string, ToolkitError>();
  for (const endpoint of declared) {
    const fault = await mistakeOf(endpoint, reading, mistakes);
    if (fault) faults.set(endpoint.name!, asError(fault));
  }
  for (const endpoint of kept.values()) {
    const { name, file } = endpoint;
    if (names.has(name)) continue;
    const found = mistakes.get(file);
    if (!found) continue;
    lost.push(endpoint);
    faults.set(name!, asError(found));
  }
  // Of a declaration with a mistake the last good one counts, so that its peers go on to call it.
  const endpoints = declared.map((one) => (faults.has(one.name!) ? (kept.get(one.name!) ?? one) : one));
  return { endpoints: [...endpoints, ...lost], faults };
}

type Mistake = Pick<Diagnostic, 'file' | 'range' | 'message' | 'fix'>;

/** The first one of each file. */
type Mistakes = Map<string, Mistake>;

/** The first mistake in the files of an endpoint, and in those that they import. */
async function mistakeOf(
  endpoint: Endpoint,
  reading: ProjectReading,
  mistakes: Mistakes,
): Promise<Mistake | null> {
  if (mistakes.size === 0) return null;
  const declaring = new Set(reading.endpoints.map(({ file }) => file));
  const waiting = [endpoint, ...endpoint.functions, ...endpoint.routes].map(({ file }) => file);
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

/** A value that only running the code could tell is a hint elsewhere; nothing can be built from it. */
function isFault({ severity, code }: Diagnostic): boolean {
  return severity === 'error' || code === 'dynamic-value';
}

function asError({ file, range: { start }, message, fix }: Mistake): ToolkitError {
  const place = `${file}:${start.line + 1}:${start.character + 1}`;
  return new ToolkitError('PROJECT_HAS_ERRORS', `${place}: ${message}`, { hint: fix });
}
