/** Large packages that use decorators heavily: their source distributions, fetched once, unpacked and never run. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const python = path.join(root, '.venv/bin/python');
const fetcher = path.join(root, 'test/setup/fetch_packages.py');
const pins = path.join(import.meta.dirname, 'packages.txt');
/** Downloads of all tests; git ignores it. */
const cache = path.join(root, '.cache/packages');

/** Package, and Python files that are in it at least. */
export const PACKAGES: [distribution: string, files: number][] = [
  ['apache_airflow_core-3.3.2', 700],
  ['botocore-1.44.5', 250],
  ['celery-5.7.0', 400],
  ['click-8.5.1', 70],
  ['dash-4.4.1', 250],
  ['django-6.1.3', 2_800],
  ['fastapi-0.165.0', 1_200],
  ['flask-3.1.3', 80],
  ['litestar-2.25.0', 350],
  ['prefect-3.9.1', 800],
  ['pytest-9.2.0', 250],
  ['sanic-25.12.1', 250],
  ['sqlalchemy-2.1.9', 650],
];

/** The folder of a package's files. */
export function packageFolder(distribution: string): string {
  return path.join(cache, distribution);
}

/** Fetches and unpacks what is missing. */
export function ensurePackages(): void {
  const missing = PACKAGES.filter(([distribution]) => !existsSync(packageFolder(distribution)));
  if (missing.length === 0) return;
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(path.join(cache, 'new-'));
  try {
    execFileSync(python, [fetcher, pins, scratch], { stdio: 'inherit' });
    for (const [distribution] of missing) {
      const archive = path.join(scratch, `${distribution}.tar.gz`);
      execFileSync('tar', ['-xzf', archive, '-C', scratch, '--no-same-owner', '--no-same-permissions']);
      renameSync(path.join(scratch, distribution), packageFolder(distribution));
    }
  } catch (error) {
    throw new Error(`The tests need the packages of ${pins}, from a package index that pip reaches.`, {
      cause: error,
    });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
