/**
 * The Python side of checks and tests: a virtual environment with pinned tools, created once and again when
 * the pins change.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const venv = path.join(root, '.venv');
const pins = path.join(root, 'test/python/requirements.txt');

/** Creates `.venv` with the packages of `test/python/requirements.txt`, unless it already has them. */
export function ensurePython(): void {
  ensureEnvironment(venv, pins);
}

/** Creates a virtual environment with the packages of a requirements file, unless it already has them. */
export function ensureEnvironment(folder: string, requirements: string): void {
  const stamp = path.join(folder, 'pins.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const python = process.env['TOOLKIT_PYTHON'] ?? 'python3';
  rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync(python, ['-m', 'venv', folder], { stdio: 'inherit' });
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    execFileSync(path.join(folder, 'bin/python'), [...pip, '-r', requirements], { stdio: 'inherit' });
  } catch (error) {
    throw new Error(
      `The tests need Python 3.10 or newer with venv and pip (${python}); set TOOLKIT_PYTHON to one.`,
      { cause: error },
    );
  }
  writeFileSync(stamp, wanted);
}

if (import.meta.main) ensurePython();
