/** The project's own settings of uv that decide which versions uv chooses. uv itself reads them; a build only notices changes. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';

/** Setting → its value. */
export type UvSettings = Record<string, unknown>;

/** The settings that `uv pip compile` reads, except those for the machine, the network and the cache. */
const DECISIVE = [
  'build-constraint-dependencies',
  'config-settings',
  'config-settings-package',
  'constraint-dependencies',
  'dependency-metadata',
  'exclude-dependencies',
  'exclude-newer',
  'exclude-newer-package',
  'extra-build-dependencies',
  'extra-index-url',
  'find-links',
  'fork-strategy',
  'index',
  'index-strategy',
  'index-url',
  'no-binary',
  'no-binary-package',
  'no-build',
  'no-build-package',
  'no-index',
  'no-sources',
  'override-dependencies',
  'pip',
  'prerelease',
  'prerelease-package',
  'resolution',
  'torch-backend',
];

/**
 * Reads the settings as uv does: from uv.toml, or else from `[tool.uv]` in pyproject.toml.
 *
 * @param pyproject The tables of pyproject.toml.
 */
export function readUvSettings(root: string, pyproject: object): UvSettings {
  const all = readUvToml(root) ?? uvTable(pyproject);
  return Object.fromEntries(Object.entries(all).filter(([key]) => DECISIVE.includes(key)));
}

/** `[tool.uv]` in the tables of pyproject.toml; empty if it is missing or not a table. */
export function uvTable(pyproject: object): Record<string, unknown> {
  const tool = 'tool' in pyproject ? pyproject.tool : null;
  return isTable(tool) && isTable(tool.uv) ? tool.uv : {};
}

/** null if the file is missing or invalid. uv reports an invalid file. */
function readUvToml(root: string): Record<string, unknown> | null {
  const file = path.join(root, 'uv.toml');
  if (!existsSync(file)) return null;
  try {
    return parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
}

/** Whether a value of TOML is a table. */
export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
