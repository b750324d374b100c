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
 * @param syntaxFault - Of any file: one that declared an endpoint may say nothing of endpoints now.
 */
export async function endpointFaults(
  reading: ProjectReading,
  kept: ReadonlyMap<string, Endpoint>,
  syntaxFault: (file: string) => Promise<SyntaxFault | null>,
): Promise<Declared> {
  const byFile = Map.groupBy(reading.diagnostics.filter(isFault), ({ file }) => file);
  const declared = reading.endpoints.filter(({ name }) => name !== null);
  const names = new Set(declared.map(({ name }) => name));
  const lost: Endpoint[] = [];
  const faults = new Map<string, ToolkitError>();
  for (const endpoint of declared) {
    const fault = await faultOf(endpoint, reading, byFile);
    if (fault) faults.set(endpoint.name!, asError(fault));
  }
  for (const endpoint of kept.values()) {
    const { name, file } = endpoint;
    if (names.has(name)) continue;
    const found = byFile.get(file)?.[0] ?? (await syntaxFault(file));
    if (!found) continue;
    lost.push(endpoint);
    faults.set(name!, asError({ ...found, file }));
  }
  // Of a declaration with a mistake the last good one counts, so that its peers go on to call it.
  const endpoints = declared.map((one) => (faults.has(one.name!) ? (kept.get(one.name!) ?? one) : one));
  return { endpoints: [...endpoints, ...lost], faults };
}

/** The first mistake in the files of an endpoint, and in those that they import. */
async function faultOf(
  endpoint: Endpoint,
  reading: ProjectReading,
  byFile: ReadonlyMap<string, readonly Diagnostic[]>,
): Promise<Diagnostic | null> {
  if (byFile.size === 0) return null;
  const waiting = [endpoint, ...endpoint.functions, ...endpoint.routes].map(({ file }) => file);
  const seen = new Set<string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const fault = byFile.get(file)?.[0];
    if (fault) return fault;
    if (!file.endsWith('.py')) continue;
    const imports = await reading.importsOf(file).catch(() => []);
    for (const one of imports) if (one.file !== null && one.scope.kind === 'module') waiting.push(one.file);
  }
  return null;
}

/** A value that only running the code could tell is a hint elsewhere; nothing can be built from it. */
function isFault({ severity, code }: Diagnostic): boolean {
  return severity === 'error' || code === 'dynamic-value';
}

function asError({
  file,
  range: { start },
  message,
  fix,
}: Pick<Diagnostic, 'file' | 'range' | 'message' | 'fix'>): ToolkitError {
  const place = `${file}:${start.line + 1}:${start.character + 1}`;
  return new ToolkitError('PROJECT_HAS_ERRORS', `${place}: ${message}`, { hint: fix });
}
