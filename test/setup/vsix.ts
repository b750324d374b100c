/** The packed extension, for tests that install it. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
/** Everything that packing can read. */
const INPUTS = [
  '{client,docs,media,runtime,server,syntaxes}/**/*.*',
  '{esbuild,notices,vsix}.ts',
  'package*.json',
  'CHANGELOG.md',
  'LICENSE',
];

/**
 * Packs it, unless nothing has changed since.
 *
 * @returns The VSIX.
 */
export function ensureVsix(): string {
  const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const file = path.join(root, `${name}-${version}.vsix`);
  const changed = (one: string) => statSync(path.join(root, one)).mtimeMs;
  const inputs = globSync(INPUTS, { cwd: root, exclude: ['**/__pycache__/**'] });
  const packed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (inputs.some((input) => changed(input) > packed))
    execFileSync(process.execPath, ['vsix.ts'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  return file;
}
