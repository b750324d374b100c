/** The lock that uv, Poetry or PDM made of the project → versions that a resolution keeps where they fit. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { PROJECT_FILES } from '../../contract/names.ts';
import { normalizeName } from '../../source/environment/distributionName.ts';
import { type LockDocument, lockOf } from './lockDocument.ts';
import { isTable, uvTable } from './uvSettings.ts';

/** The versions in a lock of another tool. */
export interface ProjectLock {
  /** Name of its file. */
  file: string;
  /** Normalized name → version. Packages with several versions are left out. */
  versions: Record<string, string>;
}

const OF_UV = 'uv.lock';
const FILES = [OF_UV, 'poetry.lock', 'pdm.lock'];

/** These tools write the name of a package first and its version second. Parsing the whole file would slow down each build. */
const PACKAGE = /^\[\[package\]\]\r?\nname = "([^"]+)"\r?\nversion = "([^"]+)"/gm;

/** The first of these locks in the root, else that of the uv workspace above it; null if there is none. */
export function readProjectLock(root: string): ProjectLock | null {
  for (const file of FILES) {
    const text = textOf(path.join(root, file));
    if (text !== null) return { file, versions: versionsIn(text) };
  }
  const workspace = workspaceOf(root);
  const text = workspace && textOf(path.join(workspace, OF_UV));
  return text ? { file: OF_UV, versions: versionsIn(text) } : null;
}

/** PDM lists a package again for each set of its extras, with the same version. */
function versionsIn(text: string): Record<string, string> {
  const found = new Map<string, Set<string>>();
  for (const [, name = '', version = ''] of text.matchAll(PACKAGE)) {
    const versions = found.get(normalizeName(name)) ?? new Set();
    found.set(normalizeName(name), versions.add(version));
  }
  const single = [...found].filter(([, versions]) => versions.size === 1);
  return Object.fromEntries(single.map(([name, versions]) => [name, [...versions][0]!]));
}

/** A lock whose versions are those of the project's lock, and those of the previous lock for other packages. */
export function withProjectLock({ versions }: ProjectLock, previous: LockDocument | null): LockDocument {
  const others = (previous?.packages ?? []).filter(
    ({ name }) => typeof name !== 'string' || versions[normalizeName(name)] === undefined,
  );
  const own = lockOf(versions);
  return { head: previous?.head ?? own.head, packages: [...others, ...own.packages] };
}

/** The closest folder above that is a uv workspace. */
function workspaceOf(root: string): string | null {
  for (
    let folder = path.dirname(root), below = root;
    folder !== below;
    below = folder, folder = path.dirname(folder)
  )
    if (hasWorkspace(textOf(path.join(folder, PROJECT_FILES.pyproject)) ?? '')) return folder;
  return null;
}

/** Whether a pyproject.toml declares a uv workspace, as a table in any form. */
function hasWorkspace(pyproject: string): boolean {
  // Most files need no parsing.
  if (!/\bworkspace\b/.test(pyproject)) return false;
  try {
    return isTable(uvTable(parse(pyproject.replace(/^\uFEFF/, ''))).workspace);
  } catch {
    // uv reports an invalid file.
    return false;
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Most projects have at most one of these files. One that cannot be read gives no versions.
    return null;
  }
}
