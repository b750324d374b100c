/**
 * Well-known modules whose distribution has a different name, for modules that the environment does not have.
 */
import { normalizeName } from './distributionName.ts';
import table from './knownModules.json' with { type: 'json' };

const MODULES = new Map<string, readonly string[]>(Object.entries(table.modules));
/** Packages that many distributions share. Each distribution is named after the path of its part. */
const NAMESPACES: ReadonlySet<string> = new Set(table.namespaces);

/** The usual distribution of every module in the table. */
export const WELL_KNOWN: readonly string[] = [
  ...new Set([...MODULES.values()].flatMap(([first]) => first ?? [])),
];

/**
 * The known distributions of a dotted module, the usual one first; empty when the table does not contain it.
 */
export function knownDistributions(module: string): readonly string[] {
  for (const path of pathsOf(module)) {
    const known = MODULES.get(path);
    if (known) return known;
    if (NAMESPACES.has(path)) return [];
  }
  return [];
}

/** The namespace that a dotted module belongs to, such as `google.cloud`; null for most. */
export function namespaceOf(module: string): string | null {
  return pathsOf(module).find((path) => NAMESPACES.has(path)) ?? null;
}

/**
 * Likely names of a module's distribution, for when no metadata names it. Normalized, with the module's own
 * name first.
 */
export function likelyDistributions(module: string): string[] {
  const own = normalizeName(module.split('.', 1)[0]!);
  const whole = normalizeName(module);
  return [...new Set([own, whole, `python-${own}`, `py${own}`, `py-${own}`, `${own}-python`, `${own}-py`])];
}

/** `a.b.c`, `a.b`, `a`. */
function pathsOf(module: string): string[] {
  const parts = module.split('.');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('.'));
}
