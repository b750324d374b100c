/** Large packages that use decorators heavily: downloaded once, unpacked as files, and never run. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const python = path.join(root, '.venv/bin/python');
const pins = path.join(import.meta.dirname, 'packages.txt');
/** Downloads of all tests; git ignores it. */
const cache = path.join(root, '.cache/packages');

/** Wheel, and Python files that are in it at least. */
export const PACKAGES: [wheel: string, files: number][] = [
  ['apache_airflow_core-3.3.2-py3-none-any', 700],
  ['botocore-1.44.5-py3-none-any', 70],
  ['celery-5.7.0-py3-none-any', 150],
  ['click-8.5.1-py3-none-any', 15],
  ['dash-4.4.1-py3-none-any', 250],
  ['django-6.1.3-py3-none-any', 850],
  ['fastapi-0.165.0-py3-none-any', 50],
  ['flask-3.1.3-py3-none-any', 20],
  ['litestar-2.25.0-py3-none-any', 350],
  ['prefect-3.9.1-py3-none-any', 800],
  ['pytest-9.2.0-py3-none-any', 75],
  ['sanic-25.12.1-py3-none-any', 120],
  ['sqlalchemy-2.1.9-py3-none-any', 250],
];

/** The folder of a package's files. */
export function packageFolder(wheel: string): string {
  return path.join(cache, wheel);
}

/** Wheels are archives of files: neither pip nor Python runs any of what is inside. */
export function ensurePackages(): void {
  const missing = PACKAGES.filter(([wheel]) => !existsSync(packageFolder(wheel)));
  if (missing.length === 0) return;
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(path.join(cache, 'new-'));
  try {
    // The same wheels for every Python and system.
    const wheels = ['--only-binary=:all:', '--platform', 'any', '--python-version', '3.14', '--no-deps'];
    const options = ['--quiet', '--disable-pip-version-check', '--require-hashes', '--dest', scratch];
    execFileSync(python, ['-m', 'pip', 'download', ...options, ...wheels, '-r', pins], { stdio: 'inherit' });
    for (const [wheel] of missing) {
      const unpacked = path.join(scratch, wheel);
      execFileSync(python, ['-m', 'zipfile', '-e', `${unpacked}.whl`, unpacked]);
      renameSync(unpacked, packageFolder(wheel));
    }
  } catch (error) {
    throw new Error(`The tests need the wheels of ${pins}, from a package index that pip reaches.`, {
      cause: error,
    });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
