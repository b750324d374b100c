/** wrk, a load generator in C that uses little CPU time: requests per second over kept connections. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../../setup/toolkit.ts';
import type { Bench } from './bench.ts';

export interface Load {
  url: string;
  connections: number;
  headers?: Record<string, string>;
  /** Sent with POST; without a body, a GET. */
  body?: string;
}

/** The program and its Debian package. */
export const WRK = { wrk: 'wrk' };

const SECONDS = 2;

/** Sends requests for some seconds. Every request must get a response, and none an error. */
export async function requestsPerSecond(bench: Bench, load: Load): Promise<number> {
  const { url, connections, headers = {}, body } = load;
  const args = ['-t1', `-c${connections}`, `-d${SECONDS}s`, '--timeout', '30s'];
  for (const [name, value] of Object.entries(headers)) args.push('-H', `${name}: ${value}`);
  if (body !== undefined) {
    const script = path.join(bench.folder, 'post.lua');
    writeFileSync(script, `wrk.method = "POST"\nwrk.body = [==[${body}]==]\n`);
    args.push('-s', script);
  }
  const ran = await runCommand('wrk', [...args, url], {
    cwd: bench.folder,
    env: process.env,
    signal: bench.signal,
  });
  const rate = Number(/^Requests\/sec: +([\d.]+)$/m.exec(ran.stdout)?.[1] ?? 0);
  if (rate === 0 || /Non-2xx|Socket errors/.test(ran.stdout)) {
    throw new Error(`Not every request of wrk to ${url} was answered:\n${ran.stdout}${ran.stderr}`);
  }
  return rate;
}
