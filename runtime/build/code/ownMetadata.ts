/**
 * `[project]` of pyproject.toml → the metadata that an installer of the project would write, so that
 * `importlib.metadata.version` and entry points of the project work in workers. A version that the project's build tool computes
 * is not known.
 */
import { valid } from '@renovatebot/pep440';
import * as z from 'zod/mini';
import { normalizeName } from '../../source/environment/distributionName.ts';

const entryPoints = z.record(z.string(), z.string());

const projectTable = z.object({
  project: z.object({
    name: z.string().check(z.regex(/^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/)),
    version: z.string(),
    scripts: z._default(entryPoints, {}),
    'gui-scripts': z._default(entryPoints, {}),
    'entry-points': z._default(z.record(z.string(), entryPoints), {}),
  }),
});

/**
 * The files, by their path in the artifact. Empty for a project without a name and a version.
 *
 * @param document - The tables of pyproject.toml.
 */
export function ownMetadata(document: object): Map<string, Uint8Array> {
  const parsed = projectTable.safeParse(document);
  if (!parsed.success || valid(parsed.data.project.version) === null) return new Map();
  const { name, version, scripts, 'gui-scripts': windows, 'entry-points': groups } = parsed.data.project;
  // The first hyphen ends the name.
  const folder = `${normalizeName(name).replaceAll('-', '_')}-${version.replaceAll('-', '_')}.dist-info`;
  const sections = Object.entries({ console_scripts: scripts, gui_scripts: windows, ...groups }).map(
    ([group, entries]) =>
      [`[${group}]`, ...Object.entries(entries).map(([one, target]) => `${one} = ${target}`), ''].join('\n'),
  );
  return new Map([
    [`${folder}/METADATA`, Buffer.from(`Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`)],
    [`${folder}/entry_points.txt`, Buffer.from(sections.join('\n'))],
  ]);
}
