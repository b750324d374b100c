/** pylock.toml → what each of its packages requires, as the resolver found it. */
import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { normalizeName } from './distributionName.ts';

/** Normalized names → the names of the packages that they require; empty when there is no readable lock. */
export type LockedRequirements = ReadonlyMap<string, readonly string[]>;

/** Reads a lock file; the build reports an invalid one. */
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
    // No lock, or one that the build refuses.
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
