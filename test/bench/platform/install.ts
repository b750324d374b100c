/** Celery and BullMQ, each at its pinned version in its own folder next to the other downloads. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ensureEnvironment } from '../../setup/python.ts';

const cache = path.join(import.meta.dirname, '../../../.cache/bench');

/** @returns The Python of its virtual environment. */
export function ensureCelery(): string {
  const folder = path.join(cache, 'celery');
  mkdirSync(cache, { recursive: true });
  ensureEnvironment(folder, path.join(import.meta.dirname, 'celery/requirements.txt'));
  return path.join(folder, 'bin/python');
}

/** The parts of BullMQ that the benchmark uses. */
export interface Bullmq {
  Queue: new (
    name: string,
    options: { connection: object },
  ) => {
    addBulk: (jobs: { name: string; data: object }[]) => Promise<unknown>;
    getCompletedCount: () => Promise<number>;
    close: () => Promise<void>;
  };
  Worker: new (
    name: string,
    work: () => Promise<void>,
    options: { connection: object; concurrency: number },
  ) => { close: () => Promise<void> };
}

/** Installs BullMQ with its Redis client. The project's own packages do not change. */
export function ensureBullmq(): Bullmq {
  const folder = path.join(cache, 'bullmq');
  const pins = path.join(import.meta.dirname, 'bullmq/package.json');
  const kept = path.join(folder, 'node_modules/pins.json');
  if (!existsSync(kept) || readFileSync(kept, 'utf8') !== readFileSync(pins, 'utf8')) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    copyFileSync(pins, path.join(folder, 'package.json'));
    const flags = ['--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
    try {
      execFileSync('npm', ['install', ...flags], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    } catch (error) {
      throw new Error(`The benchmark of the queue needs the packages of ${pins} from npm.`, { cause: error });
    }
    copyFileSync(pins, kept);
  }
  return createRequire(path.join(folder, 'package.json'))('bullmq') as Bullmq;
}
