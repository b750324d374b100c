/**
 * The requirements of widely used packages, for packages that neither the environment nor a lock file
 * contains.
 */
import table from './knownRequirements.json' with { type: 'json' };

/**
 * Normalized names → the names of their requirements. A key such as `httpx[http2]` lists what the extra
 * requires in addition. Taken from the packages' own metadata for Python 3.10 to 3.14: of the newest
 * versions, and of older versions that many projects still pin.
 */
export const KNOWN_REQUIREMENTS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(table));

/** All distributions in the table, normalized. */
export const KNOWN_DISTRIBUTIONS: ReadonlySet<string> = new Set(
  [...KNOWN_REQUIREMENTS].flatMap(([name, required]) => [name.split('[', 1)[0]!, ...required]),
);
