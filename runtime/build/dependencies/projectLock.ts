/** The lock that uv, Poetry or PDM made of the project → versions that a resolution keeps where they fit. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { normalizeName } from '../../source/environment/distributionName.ts';
import { type LockDocument, lockOf } from './lockDocument.ts';

/** The versions in a lock of another tool. */
export interface ProjectLock {
  /** Name of its file. */
  file: string;
  /** Normalized name → version. Packages with several versions are left out. */
  versions: Record<string, string>;
}

const FILES = ['uv.lock', 'poetry.lock', 'pdm.lock'];

/** These tools write the name of a package first and its version second. Parsing the whole file would slow down each build. */
const PACKAGE = /^\[\[package\]\]\r?\nname = "([^"]+)"\r?\nversion = "([^"]+)"/gm;

/** The first of these locks in the root; null if there is none. */
export function readProjectLock(root: string): ProjectLock | null {
  for (const file of FILES) {
    const text = textOf(path.join(root, file));
    if (text === null) continue;
    const found = [...text.matchAll(PACKAGE)].map(
      ([, name, version]) => [normalizeName(name!), version!] as const,
    );
    const byName = Map.groupBy(found, ([name]) => name);
    return {
      file,
      versions: Object.fromEntries(found.filter(([name]) => byName.get(name)!.length === 1).toSorted()),
    };
  }
  return null;
}

/** A lock whose versions are those of the project's lock, and those of the previous lock for other packages. */
export function withProjectLock({ versions }: ProjectLock, previous: LockDocument | null): LockDocument {
  const others = (previous?.packages ?? []).filter(
    ({ name }) => typeof name !== 'string' || versions[normalizeName(name)] === undefined,
  );
  const own = lockOf(versions);
  return { head: previous?.head ?? own.head, packages: [...others, ...own.packages] };
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Most projects have at most one of these files. One that cannot be read gives no versions.
    return null;
  }
}
