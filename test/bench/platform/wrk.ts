/** wrk, a load generator in C that takes little of the processor: requests per second over kept connections. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../../setup/toolkit.ts';
import type { Bench } from './bench.ts';

export interface Load {
  url: string;
  connections: number;
  headers?: Record<string, string>;
  /** Sent by POST; a GET without one. */
  body?: string;
}

/** The program, and Debian's package of it. */
export const WRK = { wrk: 'wrk' };

const SECONDS = 2;

/** Sends requests for some seconds. Every one of them must be answered, and none with an error. */
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
