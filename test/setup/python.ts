/** The Python side of checks and tests: a virtual environment with pinned tools, made once and when the pins change. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const venv = path.join(root, '.venv');
const stamp = path.join(venv, 'pins.txt');
const pins = path.join(root, 'test/python/requirements.txt');

/** Makes `.venv` as `test/python/requirements.txt` says; does nothing when it already is so. */
export function ensurePython(): void {
  const wanted = readFileSync(pins, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const python = process.env['TOOLKIT_PYTHON'] ?? 'python3';
  rmSync(venv, { recursive: true, force: true });
  try {
    execFileSync(python, ['-m', 'venv', venv], { stdio: 'inherit' });
    const pip = [
      path.join(venv, 'bin/python'),
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
    ] as const;
    execFileSync(pip[0], [...pip.slice(1), '-r', pins], { stdio: 'inherit' });
  } catch (error) {
    throw new Error(
      `The tests need Python 3.10 or newer with venv and pip (${python}); set TOOLKIT_PYTHON to one.`,
      { cause: error },
    );
  }
  writeFileSync(stamp, wanted);
}

if (import.meta.main) ensurePython();
