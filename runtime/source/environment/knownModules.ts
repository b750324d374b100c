/** Well-known modules whose distribution has another name, for when no environment tells. */
import { normalizeName } from './distributionName.ts';
import table from './knownModules.json' with { type: 'json' };

const MODULES = new Map<string, readonly string[]>(Object.entries(table.modules));
/** Packages that many distributions fill, each of which is named after the path of its part. */
const NAMESPACES: ReadonlySet<string> = new Set(table.namespaces);

/** The usual distribution of every module of the table. */
export const WELL_KNOWN: readonly string[] = [
  ...new Set([...MODULES.values()].flatMap(([first]) => first ?? [])),
];

/** The distributions that are known to give a dotted module, the usual one first; empty for one of no special name. */
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

/** Names by which distributions of a module may go that no metadata names; normalized, the module's own first. */
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
