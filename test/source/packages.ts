/** Packages that people deploy, and large applications: downloaded once, unpacked and never run. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const python = path.join(root, '.venv/bin/python');
const fetcher = path.join(root, 'test/setup/fetch_packages.py');
/** Downloads shared by all tests; ignored by git. */
const cache = path.join(root, '.cache/packages');

/** A distribution, pinned by its hash. */
export interface Package {
  name: string;
  /** The archive: a source distribution, or a wheel if there is none. */
  archive: string;
  sha256: string;
  /** The minimum number of Python files in it. */
  files: number;
  /** The folder it is unpacked into. */
  folder: string;
}

/** Packages that use decorators heavily. */
export const PACKAGES: readonly Package[] = readPins('test/source/packages.txt');

/** The packages above, plus libraries and applications that take too long for each test run. */
export const ALL_PACKAGES: readonly Package[] = [...PACKAGES, ...readPins('test/long/packages.txt')];

function readPins(file: string): Package[] {
  const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name, archive, sha256, files] = line.split(' ') as [string, string, string, string];
      const folder = path.join(cache, archive.replace(/\.(?:tar\.gz|whl)$/, ''));
      return { name, archive, sha256, files: Number(files), folder };
    });
}

/** Downloads and unpacks missing packages. */
export function ensurePackages(packages: readonly Package[]): void {
  const missing = packages.filter(({ folder }) => !existsSync(folder));
  if (missing.length === 0) return;
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(path.join(cache, 'new-'));
  try {
    const input = missing.map(({ name, archive, sha256 }) => `${name} ${archive} ${sha256}\n`).join('');
    execFileSync(python, [fetcher, scratch], { input, stdio: ['pipe', 'inherit', 'inherit'] });
    for (const { archive, folder } of missing) unpack(path.join(scratch, archive), folder);
  } catch (error) {
    throw new Error('The tests need the packages of packages.txt, from a package index that pip can reach.', {
      cause: error,
    });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function unpack(archive: string, folder: string): void {
  const unpacked = `${archive}.unpacked`;
  mkdirSync(unpacked);
  if (archive.endsWith('.whl')) execFileSync(python, ['-m', 'zipfile', '-e', archive, unpacked]);
  else {
    const options = ['--strip-components=1', '--no-same-owner', '--no-same-permissions'];
    execFileSync('tar', ['-xzf', archive, '-C', unpacked, ...options]);
  }
  // Another test run can have been faster.
  if (!existsSync(folder)) renameSync(unpacked, folder);
}
