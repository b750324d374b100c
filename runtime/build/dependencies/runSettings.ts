/**
 * The project's settings of uv → a copy for the build's own runs of uv, without those of `[tool.uv.pip]` that change the form
 * of uv's output. uv has no arguments that undo lists such as `no-emit-package`.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'smol-toml';
import { PROJECT_FILES } from '../../contract/names.ts';
import { readPyproject } from '../../source/projectConfig.ts';
import { allUvSettings, isTable, type UvSettings, withoutForm } from './uvSettings.ts';
import { absoluteUrl } from './uvSources.ts';

/** Settings with addresses or paths relative to the project. */
const LOCATIONS = ['index-url', 'extra-index-url', 'find-links'];

/** Writes the copy to the folder that uv runs in, where it overrides the original; nothing if the original can be used. */
export async function writeRunSettings(root: string, workDir: string): Promise<void> {
  const settings = allUvSettings(root, readPyproject(root));
  const kept = withoutForm(settings);
  if (!isTable(kept.pip) || sizeOf(kept.pip) === sizeOf(settings.pip)) return;
  const { index, ...rest } = absolute(kept, root);
  const uv = {
    ...rest,
    pip: absolute(kept.pip, root),
    ...(index === undefined ? {} : { index: indexes(index, root) }),
  };
  await writeFile(path.join(workDir, PROJECT_FILES.pyproject), stringify({ tool: { uv } }));
}

function sizeOf(table: unknown): number {
  return isTable(table) ? Object.keys(table).length : 0;
}

function absolute(settings: UvSettings, root: string): UvSettings {
  const located = Object.entries(settings).filter(([key]) => LOCATIONS.includes(key));
  const resolve = (value: unknown) => (typeof value === 'string' ? absoluteUrl(value, root) : value);
  const resolved = located.map(([key, value]) => [
    key,
    Array.isArray(value) ? value.map(resolve) : resolve(value),
  ]);
  return { ...settings, ...Object.fromEntries(resolved) };
}

function indexes(value: unknown, root: string): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((index: unknown) =>
    isTable(index) && typeof index.url === 'string' ? { ...index, url: absoluteUrl(index.url, root) } : index,
  );
}
