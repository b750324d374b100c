/** Endpoints → the generated files of an artifact, and the closure of each endpoint's code. */
import type { ProjectReading } from '../../source/reading.ts';
import { type Closure, ClosureReader } from './closure.ts';
import type { NamedEndpoint } from './groupEndpoints.ts';
import { handlerPath, renderHandler } from './handlers.ts';
import { functionsByFile, renderStub, stubPath } from './stubs.ts';

/** The generated code of one endpoint. */
export interface GeneratedEndpoint {
  endpoint: NamedEndpoint;
  /** Path of the handler; null for a command. */
  handler: string | null;
  /** Path in the artifact → text: the handler and the stubs that it installs. */
  files: Map<string, string>;
  closure: Closure;
}

/**
 * Generates handlers and stubs.
 *
 * @param shipped Project files that ship.
 * @param skipped Names of endpoints that are not built; others can still call them.
 */
export async function generateCode(
  reading: ProjectReading,
  endpoints: readonly NamedEndpoint[],
  shipped: readonly string[],
  skipped: ReadonlySet<string>,
): Promise<GeneratedEndpoint[]> {
  const functions = functionsByFile(endpoints);
  const closures = new ClosureReader(reading, shipped, functions);
  const generated: GeneratedEndpoint[] = [];
  for (const endpoint of endpoints.filter(({ name }) => !skipped.has(name))) {
    const closure = await closures.read(endpoint);
    const files = new Map<string, string>();
    const stubs = new Map<string, string>();
    for (const [module, file] of closure.peers) {
      stubs.set(module, stubPath(module));
      files.set(stubPath(module), renderStub(module, file, functions.get(file) ?? []));
    }
    const handler = endpoint.command === null ? handlerPath(endpoint.name) : null;
    const variables = variablesOf(endpoints, closure);
    if (handler) files.set(handler, renderHandler(endpoint, stubs, variables));
    generated.push({ endpoint, handler, files, closure });
  }
  return generated;
}

/** Environment variables that declarations in a closure's files read. A worker reads them again when it loads the files. */
function variablesOf(endpoints: readonly NamedEndpoint[], { files, isOpen }: Closure): string[] {
  const declared = endpoints.filter(({ file }) => isOpen || files.includes(file));
  const names = declared.flatMap(({ envFrom }) => Object.values(envFrom).map(({ name }) => name));
  return [...new Set(names)].sort();
}
