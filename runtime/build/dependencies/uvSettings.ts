/** The project's own settings of uv that decide which versions uv chooses. uv itself reads them; a build notices changes. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { PROJECT_FILES } from '../../contract/names.ts';

const UV_TOML = 'uv.toml';

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

/** The settings of `[tool.uv.pip]` that change only the form of uv's output, or what it is for. */
const FORM = [
  'all-extras',
  'annotation-style',
  'custom-compile-command',
  'emit-build-options',
  'emit-find-links',
  'emit-index-annotation',
  'emit-index-url',
  'emit-marker-expression',
  'extra',
  'generate-hashes',
  'group',
  'no-annotate',
  'no-emit-package',
  'no-extra',
  'no-header',
  'no-strip-extras',
  'no-strip-markers',
  'output-file',
  'python-platform',
  'python-version',
  'universal',
];

/**
 * Reads the settings that decide which versions uv chooses.
 *
 * @param pyproject The tables of pyproject.toml.
 */
export function readUvSettings(root: string, pyproject: object): UvSettings {
  const all = Object.entries(allUvSettings(root, pyproject));
  return withoutForm(Object.fromEntries(all.filter(([key]) => DECISIVE.includes(key))));
}

/** Reads all settings as uv does: from uv.toml, or else from `[tool.uv]` in pyproject.toml. */
export function allUvSettings(root: string, pyproject: object): UvSettings {
  return readUvToml(root) ?? uvTable(pyproject);
}

/** The settings without those that must not change what a build reads from uv. */
export function withoutForm(settings: UvSettings): UvSettings {
  if (!isTable(settings.pip)) return settings;
  const kept = Object.entries(settings.pip).filter(([key]) => !FORM.includes(key));
  return { ...settings, pip: Object.fromEntries(kept) };
}

/** `[tool.uv]` in the tables of pyproject.toml; empty if it is missing or not a table. */
export function uvTable(pyproject: object): Record<string, unknown> {
  const tool = 'tool' in pyproject ? pyproject.tool : null;
  return isTable(tool) && isTable(tool.uv) ? tool.uv : {};
}

/** Name of the project's file that uv reads its settings from. */
export function uvSettingsFile(root: string): string {
  return existsSync(path.join(root, UV_TOML)) ? UV_TOML : PROJECT_FILES.pyproject;
}

/** null if the file is missing; empty if it is invalid, which uv reports. */
function readUvToml(root: string): UvSettings | null {
  if (uvSettingsFile(root) !== UV_TOML) return null;
  try {
    return parse(readFileSync(path.join(root, UV_TOML), 'utf8').replace(/^\uFEFF/, ''));
  } catch {
    return {};
  }
}

/** Whether a value of TOML is a table. */
export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
