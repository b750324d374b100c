/** What widely used packages require, for when neither the environment nor a lock has them. */
import table from './knownRequirements.json' with { type: 'json' };

/**
 * Normalized names, also with one extra, `httpx[http2]`: what it requires in addition. From the packages' own metadata for Python 3.10 to 3.14: of the newest versions, and of older ones
 * that many projects still pin.
 */
export const KNOWN_REQUIREMENTS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(table));

/** The distributions of the table, normalized. */
export const KNOWN_DISTRIBUTIONS: ReadonlySet<string> = new Set(
  [...KNOWN_REQUIREMENTS].flatMap(([name, required]) => [name.split('[', 1)[0]!, ...required]),
);
