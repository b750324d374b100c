/**
 * `[tool.uv.sources]` in the root's pyproject.toml → a project file with the requirements that have a source, so that uv
 * itself chooses the index or file of each package. Evaluates no markers.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'smol-toml';
import * as z from 'zod/mini';
import { ToolkitError } from '../../contract/errors.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import { normalizeName } from '../../source/environment/distributionName.ts';
import { isTable, uvTable } from './uvSettings.ts';

const sourceEntry = z.looseObject({
  path: z.optional(z.string()),
  git: z.optional(z.string()),
  workspace: z.optional(z.union([z.boolean(), z.string()])),
  marker: z.optional(z.string()),
  extra: z.optional(z.string()),
  group: z.optional(z.string()),
});

type SourceEntry = z.infer<typeof sourceEntry>;

/** The uv sources of some packages. Paths stay relative to the root, so that all copies of the project give the same hash. */
export interface UvSources {
  root: string;
  /** Normalized name → its sources. */
  packages: [name: string, entries: SourceEntry[]][];
  /** The tables of `[[tool.uv.index]]`, which sources name. */
  indexes: { url: string }[];
}

const indexTables = z.array(z.looseObject({ url: z.string() }));

/**
 * Reads the sources in the tables of pyproject.toml. uv itself reports unknown fields of a source that a build uses.
 *
 * @throws ToolkitError PROJECT_CONFIG for a table whose form uv does not know: without it, uv would use public packages.
 */
export function readUvSources(root: string, pyproject: object): UvSources {
  const { sources = {}, index = [] } = uvTable(pyproject);
  if (!isTable(sources)) throw invalid('[tool.uv.sources] must be a table', 'Write one line per package.');
  const indexes = indexTables.safeParse(index);
  if (!indexes.success) {
    throw invalid(
      '[[tool.uv.index]] must be a list of tables, each with a "url"',
      'For example: index = [{ name = "NAME", url = "https://example.org/simple" }].',
    );
  }
  const packages = Object.entries(sources).map(([name, value]): [string, SourceEntry[]] => [
    normalizeName(name),
    // Entries with a group apply only to dependency groups, which a build does not install.
    readEntries(name, value).filter(({ group }) => group === undefined),
  ]);
  return { root, packages: packages.filter(([, entries]) => entries.length > 0), indexes: indexes.data };
}

function readEntries(name: string, value: unknown): SourceEntry[] {
  const isIn = 'In [tool.uv.sources],';
  const example = `For example: ${name} = { index = "NAME" }.`;
  const entries = [value].flat();
  if (entries.length === 0) throw invalid(`${isIn} the list of ${name} is empty`, example);
  return entries.map((entry) => {
    const parsed = sourceEntry.safeParse(entry);
    if (parsed.success) return parsed.data;
    const field = parsed.error.issues[0]?.path[0];
    if (field === undefined) {
      throw invalid(`${isIn} the source of ${name} must be a table or a list of tables`, example);
    }
    const kind = field === 'workspace' ? 'true, false or a string' : 'a string';
    throw invalid(`${isIn} "${String(field)}" of ${name} must be ${kind}`, 'Correct its value.');
  });
}

function invalid(what: string, hint: string): ToolkitError {
  return new ToolkitError('PROJECT_CONFIG', `${PROJECT_FILES.pyproject}: ${what}.`, { hint });
}

/**
 * The sources of the packages that are required.
 *
 * @throws ToolkitError REQUIREMENT_INVALID for a source that a build cannot install from.
 */
export function sourcesOf(sources: UvSources, requirements: readonly { name: string }[]): UvSources | null {
  const names = new Set(requirements.map(({ name }) => name));
  const packages = sources.packages.filter(([name]) => names.has(name));
  for (const [name, entries] of packages) for (const entry of entries) refuse(name, entry, sources.root);
  return packages.length > 0 ? { ...sources, packages } : null;
}

/** The text of a pyproject.toml that requires these packages from their sources. It can be in any folder. */
export function sourcesProject(texts: readonly string[], { root, packages, indexes }: UvSources): string {
  const named = packages.map(([name, entries]) => [
    name,
    entries.map((entry) =>
      entry.path === undefined ? entry : { ...entry, path: path.resolve(root, entry.path) },
    ),
  ]);
  return stringify({
    project: { name: 'toolkit-requirements', version: '0', dependencies: texts },
    tool: {
      uv: {
        // Keeps uv from looking for a workspace in parent folders.
        workspace: {},
        sources: Object.fromEntries(named),
        index: indexes.map((index) => ({ ...index, url: absoluteUrl(index.url, root) })),
      },
    },
  });
}

/** Makes a path of the project absolute. An address stays as it is. */
export function absoluteUrl(url: string, root: string): string {
  return /^[a-z][a-z+]*:\/\//i.test(url) ? url : path.resolve(root, url);
}

function refuse(name: string, entry: SourceEntry, root: string): void {
  const says = (what: string, hint: string) => {
    const message = `${PROJECT_FILES.pyproject}: In [tool.uv.sources], the source of ${name} is ${what}.`;
    throw new ToolkitError('REQUIREMENT_INVALID', message, { hint });
  };
  if (entry.extra !== undefined) {
    throw new ToolkitError(
      'REQUIREMENT_INVALID',
      `${PROJECT_FILES.pyproject}: [tool.uv.sources] sets a source of ${name} only for the extra "${entry.extra}", which a build does not support.`,
      { hint: 'Remove "extra" from the source.' },
    );
  }
  // Only uv knows whether a marker is true for the target. It resolves or ignores such a source.
  if (entry.marker !== undefined) return;
  if (entry.git !== undefined) {
    says(
      'a repository, which a build cannot install',
      'Use the archive of a tag instead: { url = "https://github.com/OWNER/REPO/archive/TAG.tar.gz" }.',
    );
  }
  const folder = entry.path === undefined ? undefined : path.resolve(root, entry.path);
  if (entry.workspace || (folder && statSync(folder, { throwIfNoEntry: false })?.isDirectory())) {
    says(
      `${entry.workspace ? 'the workspace' : 'a local folder'}, which a build cannot install`,
      'Build a wheel of it with "uv build --wheel", and use that: { path = "dist/NAME.whl" }.',
    );
  }
}
