/**
 * pylock.toml (PEP 751) in the project's root ⇄ the locked set. Users commit it; a `[tool.toolkit]` table tells what
 * it was made for, so that the same requirements, platform and Python use it again with no network.
 */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'smol-toml';
import * as z from 'zod/mini';
import { ToolkitError } from '../../contract/errors.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import { systemCode } from '../fileErrors.ts';
import { normalizeName } from './distributionName.ts';

/** One package of the locked set, with its only wheel. */
export interface LockedPackage {
  /** Normalized. */
  name: string;
  version: string;
  /** `https:`, `http:` or `file:` address of the wheel. */
  url: string;
  /** Hex sha256 of the wheel. */
  sha256: string;
  /** Normalized names of the packages of the set that it needs. */
  dependencies: string[];
}

/** The locked set, sorted by name. */
export interface Lock {
  /** Hash of everything that it was resolved from. */
  inputs: string;
  packages: LockedPackage[];
}

const fileTable = z.object({
  url: z.optional(z.string()),
  path: z.optional(z.string()),
  hashes: z.object({ sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
});

const lockTable = z.object({
  packages: z._default(
    z.array(
      z.object({
        name: z.string(),
        version: z.optional(z.string()),
        wheels: z.optional(z.array(fileTable)),
        archive: z.optional(fileTable),
        dependencies: z.optional(z.array(z.object({ name: z.string() }))),
      }),
    ),
    [],
  ),
  tool: z.optional(z.object({ toolkit: z.optional(z.object({ inputs: z.string() })) })),
});

/**
 * The project's lock, or null when there is none, or one that somebody else made.
 *
 * @throws ToolkitError PROJECT_CONFIG when the toolkit's own lock was damaged.
 */
export async function readLock(root: string): Promise<{ lock: Lock | null; text: string } | null> {
  const file = path.join(root, PROJECT_FILES.lock);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw new ToolkitError('PROJECT_CONFIG', `${PROJECT_FILES.lock} cannot be read.`, { cause: error });
  }
  const parsed = lockTable.safeParse(parseToml(text, PROJECT_FILES.lock));
  const inputs = parsed.success ? parsed.data.tool?.toolkit?.inputs : undefined;
  return { text, lock: inputs === undefined ? null : { inputs, packages: decodePackages(text, root) } };
}

/**
 * The packages of a pylock.toml.
 *
 * @param base Folder that relative paths in it start from.
 * @throws ToolkitError PROJECT_CONFIG for what is no lock, DEPENDENCY_NO_WHEEL for a package without a wheel.
 */
export function decodePackages(text: string, base: string): LockedPackage[] {
  const parsed = lockTable.safeParse(parseToml(text, PROJECT_FILES.lock));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw damaged(`its ${issue?.path.join('.') ?? 'root'} is wrong`);
  }
  const packages = parsed.data.packages.map((table) => {
    const source = table.wheels?.[0] ?? table.archive;
    const url =
      source?.url ?? (source?.path === undefined ? undefined : fileUrl(path.resolve(base, source.path)));
    const wheelName = url?.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
    if (!source || !url || !wheelName.endsWith('.whl')) {
      throw new ToolkitError('DEPENDENCY_NO_WHEEL', `${table.name} has no wheel in ${PROJECT_FILES.lock}.`, {
        hint: 'Choose a version that has a wheel for Linux x86_64.',
      });
    }
    return {
      name: normalizeName(table.name),
      version: table.version ?? decodeURIComponent(wheelName.split('-')[1] ?? ''),
      url,
      sha256: source.hashes.sha256,
      dependencies: (table.dependencies ?? []).map(({ name }) => normalizeName(name)).sort(),
    };
  });
  return packages.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The text of a lock: the resolver's own, with the graph of the packages and what it was made for. */
export function renderLock(
  resolved: string,
  dependencies: ReadonlyMap<string, string[]>,
  inputs: string,
): string {
  // The lock is committed: credentials of an index stay in the user's configuration.
  const document = parseToml(resolved.replaceAll(/(https?:\/\/)[^/\s"@]+@/g, '$1'), PROJECT_FILES.lock);
  const packages = Array.isArray(document.packages) ? document.packages : [];
  for (const table of packages) {
    if (typeof table !== 'object' || table === null || !('name' in table) || typeof table.name !== 'string')
      continue;
    const needs = dependencies.get(normalizeName(table.name)) ?? [];
    if (needs.length > 0) Object.assign(table, { dependencies: needs.map((name) => ({ name })) });
  }
  document['created-by'] = 'toolkit';
  document.tool = { toolkit: { inputs } };
  return `# Made by toolkit build; commit it. Renew it with: toolkit build --upgrade\n${stringify(document)}`;
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

function parseToml(text: string, name: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (cause) {
    throw damaged('it is not valid TOML', cause, name);
  }
}

function damaged(why: string, cause?: unknown, name: string = PROJECT_FILES.lock): ToolkitError {
  return new ToolkitError('PROJECT_CONFIG', `${name} cannot be used: ${why}.`, {
    hint: `Delete ${name} and build again.`,
    cause,
  });
}

function fileUrl(file: string): string {
  return new URL(`file://${file.split('/').map(encodeURIComponent).join('/')}`).href;
}
