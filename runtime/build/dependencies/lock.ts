/**
 * pylock.toml (PEP 751) in the project's root → the locked sets. Users commit it; a `[tool.toolkit]` table tells what
 * each set was made for, so that the same requirements, platform and Python use it again with no network.
 */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'smol-toml';
import * as z from 'zod/mini';
import { ToolkitError } from '../../contract/errors.ts';
import { COMMON_SET, PROJECT_FILES } from '../../contract/names.ts';
import { normalizeName } from '../../source/environment/distributionName.ts';
import { systemCode } from '../fileErrors.ts';
import { bestWheel } from './targetTags.ts';

/** One package of a locked set, with its only file. */
export interface LockedPackage {
  /** Normalized. */
  name: string;
  version: string;
  /** `https:`, `http:` or `file:` address of the wheel or source distribution. */
  url: string;
  /** Hex sha256 of that file. */
  sha256: string;
  /** Bytes of that file, where the index tells them. */
  size: number | null;
  /** Whether the file is a source distribution, of which a wheel must be made. */
  isSource: boolean;
  /** Normalized names of the packages of the set that it needs. */
  dependencies: string[];
}

/** One locked dependency set. */
export interface LockedSet {
  name: string;
  /** Whose it is; null for all endpoints that no other set names. */
  endpoints: string[] | null;
  /** Hash of everything that it was resolved from. */
  inputs: string;
  /** Sorted by name. */
  packages: LockedPackage[];
}

/** A lock as found: `sets` is null when somebody else made it. */
export interface PresentLock {
  sets: LockedSet[] | null;
  /** Text of a lock of one set alone, whose versions a new resolution keeps where they fit. */
  previous(set: string): LockDocument;
}

/** A lock's tables as TOML has them. */
export interface LockDocument {
  /** The keys beside the packages. */
  head: Record<string, unknown>;
  packages: Record<string, unknown>[];
}

const fileTable = z.object({
  url: z.optional(z.string()),
  path: z.optional(z.string()),
  size: z.optional(z.number()),
  hashes: z.object({ sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
});

const packageTable = z.object({
  name: z.string(),
  version: z.optional(z.string()),
  marker: z.optional(z.string()),
  wheels: z.optional(z.array(fileTable)),
  archive: z.optional(fileTable),
  sdist: z.optional(fileTable),
  dependencies: z.optional(z.array(z.object({ name: z.string() }))),
  vcs: z.optional(z.unknown()),
  directory: z.optional(z.unknown()),
});

const setTable = z.object({
  name: z.string(),
  endpoints: z.optional(z.array(z.string())),
  inputs: z.string(),
});

const toolTable = z.object({
  toolkit: z.object({ inputs: z.optional(z.string()), sets: z.optional(z.array(setTable)) }),
});

/**
 * The project's lock, or null when there is none.
 *
 * @param python Minor version that the wheels are for.
 * @throws ToolkitError PROJECT_CONFIG when the toolkit's own lock was damaged.
 */
export async function readLock(root: string, python: string): Promise<PresentLock | null> {
  let text: string;
  try {
    text = await readFile(path.join(root, PROJECT_FILES.lock), 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw new ToolkitError('PROJECT_CONFIG', `${PROJECT_FILES.lock} cannot be read.`, {
      hint: 'Make it a file that you may read, or delete it to have it made anew.',
      cause: error,
    });
  }
  const document = readDocument(text);
  const tool = toolTable.safeParse(document.head.tool);
  const made = tool.success ? tool.data.toolkit : null;
  const single =
    made?.inputs === undefined ? null : [{ name: COMMON_SET, endpoints: undefined, inputs: made.inputs }];
  const tables = made?.sets ?? single;
  const isShared = made?.sets !== undefined;
  const sets = tables?.map(({ name, endpoints = null, inputs }) => {
    const packages = decodePackages(isShared ? ofSet(document, name) : document, root, python);
    return { name, endpoints, inputs, packages };
  });
  return {
    sets: sets ?? null,
    previous: (name) => {
      const own = isShared ? ofSet(document, name) : document;
      return own.packages.length > 0 ? own : ofSet(document, tables?.[0]?.name ?? name);
    },
  };
}

/**
 * A lock's tables.
 *
 * @throws ToolkitError PROJECT_CONFIG for what is no lock.
 */
export function readDocument(text: string): LockDocument {
  let parsed: Record<string, unknown>;
  try {
    parsed = parse(text);
  } catch (cause) {
    throw damaged('it is not valid TOML', cause);
  }
  const { packages, ...head } = parsed;
  if (packages !== undefined && !Array.isArray(packages)) throw damaged('its packages are no tables');
  return { head, packages: (packages ?? []) as Record<string, unknown>[] };
}

/**
 * The packages of a lock's tables, sorted by name, each with the file that installers take.
 *
 * @param base Folder that relative paths in it start from.
 * @param python Minor version that the wheels are for.
 * @throws ToolkitError PROJECT_CONFIG for what is no lock, DEPENDENCY_NO_WHEEL for a package without a file.
 */
export function decodePackages({ packages }: LockDocument, base: string, python: string): LockedPackage[] {
  return packages
    .map((table) => decodePackage(table, base, python))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The tags of all wheels in a lock's tables, such as `cp311-cp311-win_amd64`. */
export function wheelTags({ packages }: LockDocument): string[] {
  const files = packages.flatMap((table) => packageTable.safeParse(table).data?.wheels ?? []);
  const tags = files.flatMap(
    ({ url, path: file }) => /-([^-/]+-[^-/]+-[^-/]+)\.whl(?:$|[?#])/.exec(url ?? file ?? '')?.[1] ?? [],
  );
  return [...new Set(tags)].sort();
}

/** How a package of several sets is marked; installers of other makers choose a set by its name as a group. */
export function setMarker(sets: readonly string[]): string {
  return sets.map((set) => `'${set}' in dependency_groups`).join(' or ');
}

/** Writes the lock into the project's root, whole or not at all. */
export async function writeLock(root: string, text: string): Promise<void> {
  const file = path.join(root, PROJECT_FILES.lock);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

function decodePackage(table: unknown, base: string, python: string): LockedPackage {
  const parsed = packageTable.safeParse(table);
  if (!parsed.success)
    throw damaged(`a package's ${parsed.error.issues[0]?.path.join('.') || 'table'} is wrong`);
  const { name, version, wheels, archive, sdist, dependencies, vcs, directory } = parsed.data;
  if (vcs !== undefined || directory !== undefined) {
    const what = vcs === undefined ? 'a local folder' : 'a repository';
    throw new ToolkitError(
      'REQUIREMENT_INVALID',
      `${name} is taken from ${what}, which a build does not install.`,
      {
        hint: `Name a wheel or an archive of it in [tool.uv.sources] of ${PROJECT_FILES.pyproject}.`,
      },
    );
  }
  const source = bestWheel(wheels ?? [], python, fileName) ?? archive ?? sdist;
  const url = source?.url ?? (source?.path === undefined ? undefined : fileUrl(base, source.path));
  if (!source || !url) {
    throw new ToolkitError('DEPENDENCY_NO_WHEEL', `${name} has no wheel in ${PROJECT_FILES.lock}.`, {
      hint: 'Choose a version that has a wheel for Linux x86_64.',
    });
  }
  const file = fileName(source);
  return {
    name: normalizeName(name),
    version: version ?? file.split('-')[1] ?? '',
    url,
    sha256: source.hashes.sha256,
    size: source.size ?? null,
    isSource: !file.endsWith('.whl'),
    dependencies: (dependencies ?? []).map((one) => normalizeName(one.name)).sort(),
  };
}

function fileName({ url, path: file }: z.infer<typeof fileTable>): string {
  return url === undefined
    ? path.basename(file ?? '')
    : decodeURIComponent(url.split(/[?#]/)[0]!.split('/').at(-1)!);
}

/** One set's packages of a lock of several, as they were before they were marked. */
function ofSet({ head, packages }: LockDocument, set: string): LockDocument {
  const own = packages.flatMap(({ marker, ...table }) =>
    typeof marker === 'string' && marker.includes(setMarker([set])) ? [table] : [],
  );
  const { 'dependency-groups': _groups, 'default-groups': _chosen, ...rest } = head;
  return { head: rest, packages: own };
}

function damaged(why: string, cause?: unknown): ToolkitError {
  return new ToolkitError('PROJECT_CONFIG', `${PROJECT_FILES.lock} cannot be used: ${why}.`, {
    hint: `Delete ${PROJECT_FILES.lock} and build again.`,
    cause,
  });
}

function fileUrl(base: string, file: string): string {
  return pathToFileURL(path.resolve(base, file)).href;
}
