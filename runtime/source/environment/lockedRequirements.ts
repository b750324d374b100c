/** pylock.toml → the requirements of each of its packages, as found by the resolver. */
import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { normalizeName } from './distributionName.ts';

/**
 * Normalized names → the names of the packages that they require; empty when there is no readable lock file.
 */
export type LockedRequirements = ReadonlyMap<string, readonly string[]>;

/** Reads a lock file. An invalid lock file is reported by the build. */
export function lockedRequirements(file: string): LockedRequirements {
  const locked = new Map<string, string[]>();
  for (const item of packagesOf(file)) {
    const name = nameOf(item);
    if (name === null) continue;
    const needed = neededBy(item).flatMap((one) => nameOf(one) ?? []);
    locked.set(name, [...(locked.get(name) ?? []), ...needed]);
  }
  return locked;
}

function packagesOf(file: string): unknown[] {
  try {
    const { packages } = parse(readFileSync(file, 'utf8'));
    return Array.isArray(packages) ? packages : [];
  } catch {
    // There is no lock file, or the build will reject it.
    return [];
  }
}

function neededBy(item: unknown): unknown[] {
  if (typeof item !== 'object' || item === null || !('dependencies' in item)) return [];
  return Array.isArray(item.dependencies) ? item.dependencies : [];
}

function nameOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null || !('name' in item)) return null;
  return typeof item.name === 'string' ? normalizeName(item.name) : null;
}
