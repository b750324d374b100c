/** A Redis server that loses no acknowledged write: each one is appended to its file and synced. */
import path from 'node:path';
import { freePort } from '../../setup/freePort.ts';
import type { Bench } from './bench.ts';

/** The program and its Debian package. */
export const REDIS = { 'redis-server': 'redis-server' };

/** Starts the server, and resolves with its port. */
export async function startRedis(bench: Bench): Promise<number> {
  const port = await freePort();
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
  const place = ['--bind', '127.0.0.1', '--port', String(port), '--dir', path.resolve(bench.folder)];
  await bench.serve(port, 'redis-server', [...place, ...durable]);
  return port;
}
