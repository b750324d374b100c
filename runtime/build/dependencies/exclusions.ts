/** Which packages of a locked set stay out of the artifact: the base image's, what only they need, and `--exclude`. */
import { BASE_IMAGE_PACKAGES } from '../../contract/names.ts';
import { normalizeName } from '../../source/environment/distributionName.ts';
import type { LockedPackage } from './lock.ts';

/** A locked set, split. */
export interface SplitSet {
  shipped: LockedPackage[];
  /** Names left out, sorted. */
  excluded: string[];
  /** `name==version` of what the base image provides, sorted. */
  baseLayer: string[];
  /** Names given to `--exclude` that the set does not have. */
  unknown: string[];
}

/**
 * Splits a set.
 *
 * @param roots Normalized names of the declared requirements: a package that is declared itself is nobody's appendage.
 * @param exclude Names given to `--exclude`, as typed.
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

/** Everything that a walk from some packages meets; it does not enter those that `enters` refuses. */
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
