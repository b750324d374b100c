/**
 * pylock.toml (PEP 751) in the project's root → the locked sets. Users commit it. Its `[tool.toolkit]` table records what each
 * set was resolved for, so that builds with the same requirements, platform and Python reuse it without a network.
 */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as z from 'zod/mini';
import { ToolkitError } from '../../contract/errors.ts';
import { COMMON_SET, PROJECT_FILES } from '../../contract/names.ts';
import { normalizeName } from '../../source/environment/distributionName.ts';
import { systemCode } from '../fileErrors.ts';
import { damaged, type LockDocument, readDocument } from './lockDocument.ts';
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
  /** Bytes of that file; null if the index does not list them. */
  size: number | null;
  /** Whether the file is a source distribution, so that its wheel must be built. */
  isSource: boolean;
  /** Normalized names of the packages in the set that it depends on. */
  dependencies: string[];
}

/** One locked dependency set. */
export interface LockedSet {
  name: string;
  /** The endpoints that use it; null for all that are not in another set. */
  endpoints: string[] | null;
  /** Hash of everything that the resolution depends on. */
  inputs: string;
  /** Sorted by name. */
  packages: LockedPackage[];
}

/** The project's lock. `sets` is null if another tool made it. */
export interface PresentLock {
  sets: LockedSet[] | null;
  /** The lock of one set. A new resolution keeps its versions where they fit. */
  previous(set: string): LockDocument;
}

const fileTable = z.object({
  url: z.optional(z.string().check(z.refine(isAddress))),
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
 * Reads the project's lock; null if there is none.
 *
 * @param python Minor version that the wheels are for.
 * @throws ToolkitError PROJECT_CONFIG if the lock cannot be read or is invalid.
 */
export async function readLock(root: string, python: string): Promise<PresentLock | null> {
  let text: string;
  try {
    text = await readFile(path.join(root, PROJECT_FILES.lock), 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw new ToolkitError('PROJECT_CONFIG', `${PROJECT_FILES.lock} cannot be read.`, {
      hint: 'Check its permissions, or delete it: the next build creates it again.',
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
 * The packages of a lock, sorted by name, each with the file that an installer would choose.
 *
 * @param base Folder of the relative paths in the lock.
 * @param python Minor version that the wheels are for.
 * @throws ToolkitError PROJECT_CONFIG for an invalid package, DEPENDENCY_NO_WHEEL for a package without a file.
 */
export function decodePackages({ packages }: LockDocument, base: string, python: string): LockedPackage[] {
  return packages
    .map((table) => decodePackage(table, base, python))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The tags of all wheels in a lock, such as `cp311-cp311-win_amd64`. */
export function wheelTags({ packages }: LockDocument): string[] {
  const files = packages.flatMap((table) => packageTable.safeParse(table).data?.wheels ?? []);
  const tags = files.flatMap(
    ({ url, path: file }) => /-([^-/]+-[^-/]+-[^-/]+)\.whl(?:$|[?#])/.exec(url ?? file ?? '')?.[1] ?? [],
  );
  return [...new Set(tags)].sort();
}

/** The marker of a package in a lock of several sets. Other installers choose a set by its name, as a dependency group. */
export function setMarker(sets: readonly string[]): string {
  return sets.map((set) => `'${set}' in dependency_groups`).join(' or ');
}

/** Writes the lock to the project's root, atomically. */
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
    throw damaged(`a package has an invalid ${parsed.error.issues[0]?.path.join('.') || 'table'}`);
  const { name, version, wheels, archive, sdist, dependencies, vcs, directory } = parsed.data;
  if (vcs !== undefined || directory !== undefined) {
    const what = vcs === undefined ? 'a local folder' : 'a repository';
    throw new ToolkitError(
      'REQUIREMENT_INVALID',
      `The source of ${name} is ${what}, which a build cannot install.`,
      { hint: `Use a wheel or an archive of it in [tool.uv.sources] of ${PROJECT_FILES.pyproject}.` },
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

/** Whether an address in a lock can be downloaded from. */
function isAddress(text: string): boolean {
  try {
    const { protocol, pathname } = new URL(text);
    if (protocol === 'file:') return fileURLToPath(text) !== '';
    return /^https?:$/.test(protocol) && decodeURIComponent(pathname) !== '';
  } catch {
    return false;
  }
}

function fileName({ url, path: file }: z.infer<typeof fileTable>): string {
  return url === undefined
    ? path.basename(file ?? '')
    : decodeURIComponent(url.split(/[?#]/)[0]!.split('/').at(-1)!);
}

/** The packages of one set from a lock of several sets, without their markers. */
function ofSet({ head, packages }: LockDocument, set: string): LockDocument {
  const own = packages.flatMap(({ marker, ...table }) =>
    typeof marker === 'string' && marker.includes(setMarker([set])) ? [table] : [],
  );
  const { 'dependency-groups': _groups, 'default-groups': _chosen, ...rest } = head;
  return { head: rest, packages: own };
}

function fileUrl(base: string, file: string): string {
  return pathToFileURL(path.resolve(base, file)).href;
}
