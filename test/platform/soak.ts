/** A platform under steady load for minutes: what its processes hold, and what its home takes on disk, over time. */
import assert from 'node:assert/strict';
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeployDocument } from '../../runtime/contract/cliDocuments.ts';
import { HOME_FILES, type PlatformRecord } from '../../runtime/contract/stateManager.ts';
import type { Workbench } from '../setup/toolkit.ts';
import { agentsOf, childrenOf } from './processes.ts';

/** Time between two looks, and between two requests of a stream. */
const LOOK_MS = 5_000;
const PAUSE_MS = 20;

const SOURCE = `from toolkit_sdk import Endpoint

web = Endpoint(name="web", cpu="cpu3c-1-2", workers=(1, 2))


@web.post("/echo")
async def echo(text: str) -> dict:
    return {"text": text}


@Endpoint(name="jobs", cpu="cpu3c-1-2", workers=(1, 2))
def jobs(text: str) -> dict:
    return {"text": text}
`;

/** What was there at one moment. */
interface Look {
  /** Resident memory, MB. */
  platformMb: number;
  agentMb: number;
  /** Of all that the agent has started. */
  workersMb: number;
  descriptors: number;
  processes: number;
  /** Of TOOLKIT_HOME without the cache of downloads, MB. */
  diskMb: number;
}

/** Of each: how much more there was at the end than in the middle, by the line through all looks of the second half. */
export interface Growth extends Look {
  requests: number;
}

/** Sends requests and jobs for so many minutes. */
export async function soak(bench: Workbench, minutes: number): Promise<Growth> {
  const project = bench.project('soak', { 'main.py': SOURCE });
  const ran = await bench.toolkit(project, ['deploy', '--json', '--yes']);
  assert.equal(ran.code, 0, ran.stdout + ran.stderr);
  const { loadBalanced, queueBased } = ran.json<DeployDocument>();
  const key = (await bench.toolkit(project, ['platform', 'key'])).stdout.trim();
  const { pid } = JSON.parse(
    readFileSync(path.join(bench.home, HOME_FILES.record), 'utf8'),
  ) as PlatformRecord;
  const agent = new Agent({ keepAlive: true });
  const over = performance.now() + minutes * 60_000;
  let requests = 0;
  const stream = async (url: string, body: (text: string) => object) => {
    while (performance.now() < over) {
      const told = `${requests++} ${'x'.repeat(requests % 2_000)}`;
      const answer = await post(agent, url, key, body(told));
      assert.ok(answer.includes(told), answer);
      await sleep(PAUSE_MS);
    }
  };
  const looks: Look[] = [];
  const looking = (async () => {
    while (performance.now() < over) {
      await sleep(LOOK_MS);
      looks.push(look(bench.home, pid));
    }
  })();
  await Promise.all([
    looking,
    ...[1, 2].map(() => stream(`${loadBalanced[0]!.url}/echo`, (told) => ({ text: told }))),
    ...[1, 2].map(() => stream(`${queueBased[0]!.url}/runsync`, (told) => ({ input: { text: told } }))),
  ]);
  agent.destroy();
  const second = looks.slice(Math.floor(looks.length / 2));
  const growth = (of: (look: Look) => number) => Math.round(10 * rise(second.map(of))) / 10;
  return {
    requests,
    platformMb: growth((each) => each.platformMb),
    agentMb: growth((each) => each.agentMb),
    workersMb: growth((each) => each.workersMb),
    descriptors: growth((each) => each.descriptors),
    processes: growth((each) => each.processes),
    diskMb: growth((each) => each.diskMb),
  };
}

async function post(agent: Agent, url: string, key: string, body: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    request(url, { method: 'POST', agent, headers }, (answer) => text(answer).then(resolve, reject))
      .on('error', reject)
      .end(JSON.stringify(body));
  });
}

/** By least squares, from the first value to the last. */
function rise(values: number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const along = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0);
  const across = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  return (along / across) * (values.length - 1);
}

function look(home: string, platform: number): Look {
  const agents = agentsOf(home);
  const workers = agents.flatMap(childrenOf).flatMap(withDescendants);
  const all = [platform, ...agents, ...workers];
  return {
    platformMb: sum([platform], residentMb),
    agentMb: sum(agents, residentMb),
    workersMb: sum(workers, residentMb),
    descriptors: sum(all, (pid) => readdirSync(`/proc/${pid}/fd`).length),
    processes: all.length,
    diskMb: sizeOf(home) / 1e6,
  };
}

function sum(pids: number[], of: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + ifThere(() => of(pid)), 0);
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1e3;
}

function withDescendants(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(withDescendants)];
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true });
  const size = (entry: Dirent) => {
    const place = path.join(folder, entry.name);
    return entry.isDirectory() ? sizeOf(place) : entry.isFile() ? ifThere(() => statSync(place).size) : 0;
  };
  return entries.reduce((sum, entry) => sum + size(entry), 0);
}

/** Processes end and files go while one looks. */
function ifThere(measure: () => number): number {
  try {
    return measure() || 0;
  } catch {
    return 0;
  }
}
