/**
 * No-op jobs per second, from the first submission until all are completed, over Celery and BullMQ with a
 * Redis that syncs every write. Each has two worker processes, submits in batches and keeps the results.
 */
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensurePrograms } from '../../setup/programs.ts';
import { alternate, median } from '../measure.ts';
import { type Bench, withBench } from './bench.ts';
import { type Deployed, deploy } from './deployed.ts';
import { type Bullmq, ensureBullmq, ensureCelery } from './install.ts';
import { REDIS, startRedis } from './redis.ts';

const ROUNDS = 5;
const WORKERS = 2;
const BATCH = 1_000;
/** Of the platform and of BullMQ: a round takes a few seconds. */
const JOBS = 10_000;
const CELERY_JOBS = 2_000;
/** Concurrent jobs of one process of the platform or of BullMQ. */
const CONCURRENCY = 100;
const POLL_MS = 10;

ensurePrograms(REDIS);
const python = ensureCelery();
const bullmq = ensureBullmq();
await withBench(async (bench) => {
  const redis = await startRedis(bench);
  const platform = await deploy(bench, {
    'worker.py': `from toolkit_sdk import Endpoint


@Endpoint(name="noop", cpu="cpu3c-1-2", workers=(${WORKERS}, ${WORKERS}), max_concurrency=${CONCURRENCY})
async def noop(number: int) -> None:
    """Does nothing."""
`,
  });
  await platform.until('noop', ({ workers }) => workers.ready === WORKERS);
  const celery = await startCelery(bench, redis);
  const bull = startBullmq(bench, bullmq, redis);
  const rates = await alternate(
    {
      ours: () => perSecond(JOBS, () => runOurs(platform)),
      celery: async () => CELERY_JOBS / (await celery(CELERY_JOBS)),
      bullmq: () => perSecond(JOBS, () => bull.run(JOBS)),
    },
    ROUNDS,
  );
  await bull.close();
  const ours = median(rates.ours);
  const ofCelery = median(rates.celery);
  const ofBullmq = median(rates.bullmq);
  process.stdout.write(
    `no-op jobs/s: ${ours.toFixed(0)}; Celery: ${ofCelery.toFixed(0)}; BullMQ: ${ofBullmq.toFixed(0)} (medians of ${rates.ours.length})\n`,
  );
  process.stdout.write(
    `no-op queue throughput / Celery + Redis: ${(ours / ofCelery).toFixed(2)} (goal ≥ 5)\n`,
  );
  process.stdout.write(
    `no-op queue throughput / BullMQ + Redis: ${(ours / ofBullmq).toFixed(2)} (goal ≥ 1)\n`,
  );
});

async function perSecond(jobs: number, run: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return (jobs * 1_000) / (performance.now() - startedAt);
}

/** Submits all batches concurrently. */
async function inBatches(jobs: number, submit: (numbers: number[]) => Promise<unknown>): Promise<void> {
  const numbers = Array.from({ length: BATCH }, (_, index) => index);
  await Promise.all(Array.from({ length: jobs / BATCH }, () => submit(numbers)));
}

async function runOurs(platform: Deployed): Promise<void> {
  const { jobs: before } = await platform.health('noop');
  await inBatches(JOBS, (numbers) =>
    platform.runBatch(
      'noop',
      numbers.map((number) => ({ input: { number } })),
    ),
  );
  await platform.until('noop', ({ jobs }) => jobs.completed === before.completed + JOBS, POLL_MS);
}

/**
 * Starts a worker of Celery with its processes, and a submitter. Resolves with a function that runs a round
 * and returns its seconds.
 */
async function startCelery(bench: Bench, redis: number): Promise<(jobs: number) => Promise<number>> {
  const options = {
    cwd: path.join(import.meta.dirname, 'celery'),
    env: {
      ...process.env,
      REDIS_PORT: String(redis),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONWARNINGS: 'ignore',
    },
  };
  const quiet = ['--loglevel=ERROR', '--without-gossip', '--without-mingle', '--without-heartbeat'];
  bench.spawn(python, ['-m', 'celery', '-A', 'noop', 'worker', '-c', String(WORKERS), ...quiet], options);
  const submitter = bench.spawn(python, ['noop.py'], { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: submitter.stdout! });
  return async (jobs) => {
    submitter.stdin!.write(`${jobs}\n`);
    const [seconds] = (await once(lines, 'line')) as [string];
    return Number(seconds);
  };
}

function startBullmq(bench: Bench, { Queue }: Bullmq, redis: number) {
  const worker = path.join(import.meta.dirname, 'bullmqWorker.ts');
  for (let number = 0; number < WORKERS; number += 1) {
    bench.spawn(process.execPath, [worker, String(redis), String(CONCURRENCY)]);
  }
  const queue = new Queue('noop', { connection: { host: '127.0.0.1', port: redis } });
  return {
    run: async (jobs: number) => {
      const before = await queue.getCompletedCount();
      await inBatches(jobs, (numbers) =>
        queue.addBulk(numbers.map((number) => ({ name: 'noop', data: { number } }))),
      );
      while ((await queue.getCompletedCount()) < before + jobs) await sleep(POLL_MS);
    },
    close: () => queue.close(),
  };
}
