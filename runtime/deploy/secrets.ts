/** Resolves the values that declarations read from the environment (`os.environ["X"]`), at deploy. They never ship. */
import type { Endpoint } from '../contract/endpoint.ts';
import { ToolkitError } from '../contract/errors.ts';
import type { Settings } from './settings.ts';

/**
 * Endpoint → variable → value, from the environment and `.env`.
 *
 * @throws ToolkitError ENV_MISSING, listing every variable that is not set and where it is read.
 */
export function fillSecrets(
  endpoints: Endpoint[],
  settings: Settings,
): Record<string, Record<string, string>> {
  const filled: Record<string, Record<string, string>> = {};
  const missing: string[] = [];
  for (const endpoint of endpoints) {
    if (endpoint.name === null) continue;
    for (const [variable, source] of Object.entries(endpoint.envFrom)) {
      const value = settings.variables[source.name] ?? source.default;
      if (value === null)
        missing.push(`${source.name} (${endpoint.file}:${endpoint.line}, "${endpoint.name}")`);
      else (filled[endpoint.name] ??= {})[variable] = value;
    }
  }
  if (missing.length > 0) {
    throw new ToolkitError(
      'ENV_MISSING',
      `Endpoints need environment variables that are not set: ${missing.join(', ')}.`,
      {
        hint: "Set them in the environment or in the project's .env.",
      },
    );
  }
  return filled;
}
