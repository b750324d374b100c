/** Splits a locked set. Excluded packages: those of the base image, those that only they require, and `--exclude`. */
import { BASE_IMAGE_PACKAGES } from '../../contract/names.ts';
import { normalizeName } from '../../source/environment/distributionName.ts';
import type { LockedPackage } from './lock.ts';

/** A locked set, split. */
export interface SplitSet {
  shipped: LockedPackage[];
  /** Names of excluded packages, sorted. */
  excluded: string[];
  /** `name==version` of the packages that the base image provides, sorted. */
  baseLayer: string[];
  /** Names given to `--exclude` that are not in the set. */
  unknown: string[];
}

/**
 * Splits a set.
 *
 * @param roots Normalized names of the declared requirements. A declared package ships even if a base image
 *   package needs it, unless the base image provides the package itself.
 * @param exclude Names given to `--exclude`, not normalized.
 */
export function splitSet(
  packages: readonly LockedPackage[],
  roots: ReadonlySet<string>,
  exclude: readonly string[],
): SplitSet {
  const byName = new Map(packages.map((one) => [one.name, one]));
  const base = new Set<string>(BASE_IMAGE_PACKAGES.filter((name) => byName.has(name)));
  const named = new Set(exclude.map(normalizeName));
  const stays = reachable(byName, [...roots], (name) => !base.has(name));
  const fromBase = new Set(
    [...reachable(byName, [...base], () => true)].filter((name) => base.has(name) || !stays.has(name)),
  );
  const isExcluded = ({ name }: LockedPackage) => fromBase.has(name) || named.has(name);
  return {
    shipped: packages.filter((one) => !isExcluded(one)),
    excluded: packages
      .filter(isExcluded)
      .map(({ name }) => name)
      .sort(),
    baseLayer: packages
      .filter(({ name }) => fromBase.has(name))
      .map(({ name, version }) => `${name}==${version}`)
      .sort(),
    unknown: exclude.filter((name) => !byName.has(normalizeName(name))),
  };
}

/** The packages that can be reached from `from`, themselves included. Stops at packages that `enters` refuses. */
function reachable(
  byName: ReadonlyMap<string, LockedPackage>,
  from: readonly string[],
  enters: (name: string) => boolean,
): Set<string> {
  const met = new Set<string>();
  const waiting = [...from];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const one = byName.get(name);
    if (!one || met.has(name) || !enters(name)) continue;
    met.add(name);
    waiting.push(...one.dependencies);
  }
  return met;
}
