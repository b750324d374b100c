/**
 * Starts of workers over those of Python with the same imports: a first one without a zygote, a second one,
 * and eight at once. A worker has started when it takes its job: the job's `delayTime` is the time from its
 * submission until then.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EndpointHealth, PendingJobBody, TerminalJobBody } from '../../../runtime/contract/job.ts';
import { alternate, median } from '../measure.ts';
import { withBench } from './bench.ts';
import { type Deployed, deploy } from './deployed.ts';

const ROUNDS = 5;
const SCALE = 8;

/** An endpoint whose jobs hold their workers until the round is over. */
const holding = (name: string, imports: string) => `import os
import time
${imports}
from toolkit_sdk import Endpoint


@Endpoint(name="${name}", cpu="cpu3c-1-2", workers=(0, ${SCALE}), idle_timeout=1)
def ${name}(until: str) -> None:
    """Waits for a file."""
    while not os.path.exists(until):
        time.sleep(0.02)
`;
const FILES = {
  'usual.py': holding(
    'usual',
    'import asyncio\nimport json\nimport logging\nimport sqlite3\nimport urllib.request\n',
  ),
  'light.py': holding('light', ''),
};

/** The interpreter itself, as the platform starts it: `python3` can be the script of a version manager. */
const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
  encoding: 'utf8',
}).trim();
const sdk = path.join(import.meta.dirname, '../../../runtime/python');

await withBench(async (bench) => {
  const platform = await deploy(bench, FILES);
  const released = path.join(bench.folder, 'released');
  const app = path.join(bench.folder, 'app');
  const times = await alternate(
    {
      usual: () => startOneByOne(platform, 'usual', released),
      usualPython: () => startPython(app, 'usual', 1),
      light: () => startOneByOne(platform, 'light', released),
      lightPython: () => startPython(app, 'light', 1),
      atOnce: () => startAtOnce(platform, 'usual', released),
      atOncePython: () => startPython(app, 'usual', SCALE),
    },
    ROUNDS,
  );
  for (const [what, ours, starts, goal] of [
    ['a worker', times.usual, times.usualPython, 'goal ≤ 1.3'],
    ['a worker that imports only toolkit_sdk', times.light, times.lightPython, 'no goal'],
  ] as const) {
    const first = median(ours.map((delays) => delays.first));
    const second = median(ours.map((delays) => delays.second));
    const base = median(starts);
    process.stdout.write(
      `${what}: ${first.toFixed(0)} ms; a second one: ${second.toFixed(0)} ms; Python: ${base.toFixed(0)} ms (medians of ${ours.length})\n`,
    );
    process.stdout.write(
      `cold start of ${what} / Python with the same imports: ${(first / base).toFixed(2)} (${goal})\n`,
    );
  }
  const seconds = median(times.usual.map((delays) => delays.second));
  process.stdout.write(
    `start of a second worker: ${seconds.toFixed(0)} ms (goal ≤ 15 ms from a warm zygote)\n`,
  );
  const [own, together] = [median(times.atOnce), median(times.atOncePython)];
  process.stdout.write(
    `0 → ${SCALE} workers: ${own.toFixed(0)} ms; ${SCALE} Pythons at once: ${together.toFixed(0)} ms (medians of ${times.atOnce.length})\n`,
  );
  process.stdout.write(
    `0 → ${SCALE} workers / ${SCALE} Pythons at once: ${(own / together).toFixed(2)} (goal ≤ 1.5)\n`,
  );
});

/**
 * Milliseconds until the first and the second worker of an endpoint have started. The first one creates its
 * zygote.
 */
async function startOneByOne(platform: Deployed, endpoint: string, released: string) {
  await platform.until(endpoint, hasNoWorkers);
  endZygotes(path.dirname(released));
  const first = await taken(platform, endpoint, await submit(platform, endpoint, released));
  const second = await taken(platform, endpoint, await submit(platform, endpoint, released));
  await release(platform, endpoint, released);
  return { first, second };
}

/** Milliseconds until this many jobs, submitted at once, all have a worker. */
async function startAtOnce(platform: Deployed, endpoint: string, released: string): Promise<number> {
  await platform.until(endpoint, hasNoWorkers);
  const jobs = await Promise.all(Array.from({ length: SCALE }, () => submit(platform, endpoint, released)));
  await platform.until(endpoint, ({ jobs: { inProgress } }) => inProgress === SCALE);
  const delays = await Promise.all(jobs.map((job) => taken(platform, endpoint, job)));
  await release(platform, endpoint, released);
  return Math.max(...delays);
}

/** Ends the zygotes of a platform whose home is below a folder. */
function endZygotes(folder: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const isZygote = readFileSync(`/proc/${pid}/comm`, 'utf8') === 'toolkit-zygote\n';
      if (isZygote && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0${folder}/`))
        process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended since.
    }
  }
}

function hasNoWorkers({ jobs, workers }: EndpointHealth): boolean {
  return jobs.inProgress + jobs.inQueue + workers.ready + workers.initializing === 0;
}

async function submit(platform: Deployed, endpoint: string, released: string): Promise<string> {
  const body = JSON.stringify({ input: { until: released } });
  return (await platform.send<PendingJobBody>('POST', `${platform.url(endpoint)}/run`, body)).id;
}

/** Waits until a job has a worker. */
async function taken(platform: Deployed, endpoint: string, job: string): Promise<number> {
  const url = `${platform.url(endpoint)}/status/${job}`;
  for (;;) {
    const { status, delayTime } = await platform.send<TerminalJobBody>('GET', url);
    if (status === 'IN_PROGRESS') return delayTime;
    if (status !== 'IN_QUEUE') throw new Error(`A job that was to wait is ${status}.`);
    await sleep(10);
  }
}

/** Lets all jobs end, and waits for their end. */
async function release(platform: Deployed, endpoint: string, released: string): Promise<void> {
  writeFileSync(released, '');
  await platform.until(endpoint, ({ jobs }) => jobs.inProgress === 0);
  rmSync(released);
}

/** Milliseconds until this many interpreters, started at once, have all imported what the worker imports. */
async function startPython(app: string, module: string, count: number): Promise<number> {
  const startedAt = performance.now();
  const children = Array.from({ length: count }, () =>
    spawn(python, ['-c', `import ${module}; print("ready", flush=True)`], {
      cwd: app,
      env: { ...process.env, PYTHONPATH: sdk },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  const took = performance.now() - startedAt;
  await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
  return took;
}
