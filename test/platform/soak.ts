/**
 * A platform under steady load for minutes: the memory of its processes and the disk space of its home over
 * time.
 */
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

/** Time between two measurements, and between two requests of a stream. */
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

/** The measurements at one moment. */
interface Look {
  /** Resident memory, MB. */
  platformMb: number;
  agentMb: number;
  /** Of everything that the agent has started. */
  workersMb: number;
  descriptors: number;
  processes: number;
  /** Of TOOLKIT_HOME without the cache of downloads, MB. */
  diskMb: number;
}

/** For each: by how much its high values in the last third exceed those in the middle third. */
export interface Growth extends Look {
  requests: number;
}

/** Sends requests and jobs for the given number of minutes. */
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
      const text = `${requests++} ${'x'.repeat(requests % 2_000)}`;
      const answer = await post(agent, url, key, body(text));
      assert.ok(answer.includes(text), answer);
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
    ...[1, 2].map(() => stream(`${loadBalanced[0]!.url}/echo`, (text) => ({ text }))),
    ...[1, 2].map(() => stream(`${queueBased[0]!.url}/runsync`, (text) => ({ input: { text } }))),
  ]);
  agent.destroy();
  const growth = (of: (look: Look) => number) => Math.round(10 * rise(looks.map(of))) / 10;
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

/**
 * A third is longer than any collection cycle, so it contains a peak. A line through the values would depend on where in
 * a cycle the measurement ends: memory of a garbage-collected process rises and falls by 30 MB.
 */
function rise(values: number[]): number {
  const third = Math.floor(values.length / 3);
  return high(values.slice(2 * third)) - high(values.slice(third, 2 * third));
}

/** Of twenty values, the second highest: one exception must not hide a slow growth. */
function high(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(0.95 * (values.length - 1))]!;
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

/** Processes end and files are deleted during the measurement. */
function ifThere(measure: () => number): number {
  try {
    return measure() || 0;
  } catch {
    return 0;
  }
}
