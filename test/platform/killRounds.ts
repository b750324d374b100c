/** Rounds of `kill -9` under a stream of `run`: compares the acknowledged jobs with the completed ones. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EndpointSpec } from '../../runtime/contract/appSpec.ts';
import { JOB_LIMITS } from '../../runtime/contract/limits.ts';
import { functionSpec, type Json, spawnPlatform, TestHome, type TestPlatform, until } from './harness.ts';
import { agentsOf, childrenOf } from './processes.ts';
import { codePart } from './sdkCode.ts';
import { SecondNode } from './secondNode.ts';

const STREAMS = 3;
const PAUSE_MS = 15;
/** Jobs that are acknowledged before each kill, on a machine of any speed. */
const JOBS_A_ROUND = 12;

/** A function that writes a line each time it runs. */
const MARKING = `
import os, time

def work(mark: str, number: int):
    file = os.open(mark, os.O_WRONLY | os.O_APPEND)
    os.write(file, b"%d\\n" % number)
    os.close(file)
    time.sleep(0.01)
    return number
`;

export interface Tally {
  acknowledged: number;
  completed: number;
  /** Acknowledged, and FAILED as documented: the worker of each retry was killed too. */
  gaveUp: number;
  /** Acknowledged, but neither completed with their own result nor failed as documented. */
  lost: number;
  /** Jobs that ran more than once, which at-least-once delivery allows. */
  runTwice: number;
  kills: number;
}

/**
 * Kills the platform itself in each round and starts it again, in every third round at the second attempt.
 */
export function killPlatform(rounds: number): Promise<Tally> {
  return killRounds(rounds, async (home, platform, round) => {
    await sleep(randomInt(300));
    await platform.kill();
    if (round % 3 === 2) await killStarting(home.folder);
    return home.start();
  });
}

/** Kills a platform that is starting. */
async function killStarting(home: string): Promise<void> {
  const child = spawnPlatform(home);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  await sleep(randomInt(700));
  child.kill('SIGKILL');
  await exited;
}

/** Kills the node agent in each round, and all workers with it. */
export function killAgent(rounds: number): Promise<Tally> {
  return killRounds(rounds, async (_home, platform) => {
    await until('an agent runs', () => agentsOf(platform.home).length > 0);
    await sleep(randomInt(700));
    for (const pid of agentsOf(platform.home)) process.kill(pid, 'SIGKILL');
    return platform;
  });
}

/**
 * Kills the agents of two nodes in each round: first the platform's own, whose workers start again on both,
 * then the other.
 */
export async function killNodes(rounds: number): Promise<Tally> {
  const nodes: SecondNode[] = [];
  const kill = async (home: TestHome, platform: TestPlatform) => {
    const second = (nodes[0] ??= new SecondNode(platform));
    await second.start();
    for (const pid of agentsOf(home.folder)) process.kill(pid, 'SIGKILL');
    // The platform's own agent can start again too late for one of the workers.
    await until('the second one has a worker', () => second.workers().length > 0);
    await sleep(randomInt(3_000));
    await second.kill();
    return platform;
  };
  try {
    return await killRounds(rounds, kill, { workersMin: 2, workersMax: 2 });
  } finally {
    for (const node of nodes) await node.clean();
  }
}

/** Kills one of the agent's processes in each round: a worker or a zygote. */
export function killWorkers(rounds: number): Promise<Tally> {
  return killRounds(rounds, async (_home, platform) => {
    await until('a worker runs', () => agentsOf(platform.home).flatMap(childrenOf).length > 0);
    await sleep(randomInt(500));
    const children = agentsOf(platform.home).flatMap(childrenOf);
    const pid = children[randomInt(Math.max(1, children.length))];
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    return platform;
  });
}

/** Outcomes of jobs whose workers were frozen past their lease and resumed. */
export interface FreezeTally {
  frozen: number;
  /** Jobs that another worker completed. */
  ranAgain: number;
  /** Jobs whose result is from a worker that had already lost them. */
  staleAccepted: number;
}

const SLOW = `
import time

def work(marked: str):
    time.sleep(2)
    return marked
`;

/**
 * Freezes workers while each runs a job, until other workers have the jobs, and resumes them while those run.
 */
export async function freezeWorkers(count: number): Promise<FreezeTally> {
  const home = new TestHome();
  try {
    const platform = await home.start();
    const spec = functionSpec('one', { workersMin: count, workersMax: count });
    await platform.deploy({ code: await codePart(SLOW), endpoints: [spec] });
    const { url } = await platform.endpoint('one');
    await until('all workers are ready', async () => (await platform.endpoint('one')).workers.idle === count);
    const ids = await Promise.all(Array.from({ length: count }, () => run(platform, url, { marked: 'x' })));
    await until('each has a job', async () => (await platform.endpoint('one')).jobs.inProgress === count);
    const status = async (id: string | null) =>
      (await platform.request('GET', `${url}/status/${String(id)}`)).body;
    const first = await Promise.all(ids.map(async (id) => (await status(id))['workerId']));
    const frozen = agentsOf(platform.home).flatMap(withDescendants);
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    await until('others have the jobs', async () => {
      const now = await Promise.all(ids.map(status));
      return now.every((body, index) => body['workerId'] !== undefined && body['workerId'] !== first[index]);
    });
    for (const pid of frozen) resume(pid);
    const ended = await Promise.all(
      ids.map((id) => platform.request('GET', `${url}/status-sync/${String(id)}?wait=120000`)),
    );
    const accepted = ended.map(({ body }) => ({ worker: body['workerId'], status: String(body['status']) }));
    return {
      frozen: count,
      ranAgain: accepted.filter(({ status: state }) => state === 'COMPLETED').length,
      staleAccepted: accepted.filter(({ worker }, index) => worker === first[index]).length,
    };
  } finally {
    await home.clean();
  }
}

function withDescendants(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(withDescendants)];
}

function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // Replaced and ended in the meantime.
  }
}

async function killRounds(
  rounds: number,
  kill: (home: TestHome, platform: TestPlatform, round: number) => Promise<TestPlatform>,
  workers: Partial<EndpointSpec> = { workersMax: 3 },
): Promise<Tally> {
  const home = new TestHome();
  const ended = new AbortController();
  try {
    let platform = await home.start();
    const mark = path.join(home.shared, 'runs');
    writeFileSync(mark, '');
    const deployed = await platform.deploy({
      code: await codePart(MARKING),
      endpoints: [functionSpec('one', workers)],
    });
    assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
    const { url } = await platform.endpoint('one');
    const acknowledged = new Map<string, number>();
    const streams = Array.from({ length: STREAMS }, async (_, stream) => {
      for (let number = stream; !ended.signal.aborted; number += STREAMS) {
        const id = await run(platform, url, { mark, number });
        if (id !== null) acknowledged.set(id, number);
        await sleep(PAUSE_MS);
      }
    });
    for (let round = 0; round < rounds; round += 1) {
      const before = acknowledged.size;
      await until('jobs are acknowledged', () => acknowledged.size >= before + JOBS_A_ROUND);
      platform = await kill(home, platform, round);
    }
    ended.abort();
    await Promise.all(streams);
    const unfinished = async () => {
      const { jobs } = await platform.endpoint('one');
      return jobs.inQueue + jobs.inProgress;
    };
    // Thousands of jobs can be left after rounds in which the workers were mostly away.
    for (let left = await unfinished(); left > 0; left = await unfinished()) {
      await until('more jobs end', async () => (await unfinished()) < left);
    }
    let completed = 0;
    let gaveUp = 0;
    for (const [id, number] of acknowledged) {
      const { body } = await platform.request('GET', `${url}/status/${id}`);
      const isWhole = String(body['status']) === 'COMPLETED' && Number(body['output']) === number;
      if (isWhole) completed += 1;
      else if (isGivenUp(body)) gaveUp += 1;
      else process.stdout.write(`${JSON.stringify(body)}\n`);
    }
    const runs = Map.groupBy(readFileSync(mark, 'utf8').trim().split('\n'), (line) => line);
    return {
      acknowledged: acknowledged.size,
      completed,
      gaveUp,
      lost: acknowledged.size - completed - gaveUp,
      runTwice: [...runs.values()].filter((lines) => lines.length > 1).length,
      kills: rounds,
    };
  } finally {
    ended.abort();
    await home.clean();
  }
}

/** Whether a job ended correctly when the workers of all its attempts were killed. */
function isGivenUp(body: Json): boolean {
  const { status, error, retries } = body;
  return (
    String(status) === 'FAILED' &&
    String(error).includes('worker lost') &&
    Number(retries) === JOB_LIMITS.maxRetries
  );
}

/** The job's id; null when the platform did not acknowledge it. */
async function run(platform: TestPlatform, url: string, input: object): Promise<string | null> {
  try {
    const { status, body } = await platform.request('POST', `${url}/run`, { input });
    return status === 200 ? String(body['id']) : null;
  } catch {
    // Killed before it responded: nothing was acknowledged.
    return null;
  }
}
