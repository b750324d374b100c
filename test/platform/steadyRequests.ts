/**
 * Streams of requests to a load-balanced endpoint, each one request at a time, while it is deployed and its
 * workers are killed.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeployDocument } from '../../runtime/contract/cliDocuments.ts';
import type { Workbench } from '../setup/toolkit.ts';
import { until } from './harness.ts';
import { agentsOf, childrenOf } from './processes.ts';

const STREAMS = 16;

export interface Plan {
  /** The minimum; they continue until the last deploy and kill are over. */
  requests: number;
  deploys: number;
  kills: number;
}

export interface Outcome {
  sent: number;
  /** Failed while in flight on a worker that was killed. */
  failedByKill: number;
  /** Failed for another reason; each with its response. */
  failedOtherwise: string[];
  /** Ids that the function has seen more than once. */
  repeated: number;
  /** Ids with a successful response that the function has not seen. */
  unseen: number;
  /** The number of builds that responded. */
  versions: number;
}

const source = (version: number, log: string) => `import os
from toolkit_sdk import Endpoint

web = Endpoint(name="web", cpu="cpu3c-1-2", workers=(2, 3))
LOG = os.open(${JSON.stringify(log)}, os.O_WRONLY | os.O_APPEND)


@web.post("/count")
def count(id: str) -> dict:
    os.write(LOG, f"{id}\\n".encode())
    return {"id": id, "version": ${version}}
`;

interface Answer {
  id: string;
  startedAt: number;
  endedAt: number;
  status: number | null;
  body: string;
}

/** Sends the requests while deploys and kills of workers are spread over them. */
export async function steadyRequests(bench: Workbench, plan: Plan): Promise<Outcome> {
  const log = path.join(bench.folder, 'seen');
  writeFileSync(log, '');
  const project = bench.project('steady', { 'web.py': source(0, log) });
  const deploy = async () => {
    const ran = await bench.toolkit(project, ['deploy', '--json', '--yes']);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    return ran.json<DeployDocument>();
  };
  const { loadBalanced } = await deploy();
  const url = loadBalanced[0]!.url;
  const key = (await bench.toolkit(project, ['platform', 'key'])).stdout.trim();
  const agent = new Agent({ keepAlive: true });
  const answers: Answer[] = [];
  let sent = 0;
  const over = new AbortController();
  const streams = Array.from({ length: STREAMS }, async () => {
    while (sent < plan.requests || !over.signal.aborted) {
      sent += 1;
      answers.push(await ask(agent, `${url}/count`, key, `r${sent}`));
    }
  });
  const done = (share: number) => until('more is answered', () => answers.length >= share * plan.requests);
  const killed: { from: number; until: number }[] = [];
  const deploys = (async () => {
    for (let number = 1; number <= plan.deploys; number += 1) {
      await done(number / (plan.deploys + 1));
      writeFileSync(path.join(project, 'web.py'), source(number, log));
      await deploy();
    }
  })();
  const kills = (async () => {
    for (let number = 1; number <= plan.kills; number += 1) {
      await done(number / (plan.kills + 1));
      killed.push(await killWorker(bench.home));
    }
  })();
  await Promise.all([deploys, kills]).finally(() => over.abort());
  await Promise.all(streams);
  agent.destroy();
  return outcome(answers, killed, readFileSync(log, 'utf8').trim().split('\n'));
}

async function ask(agent: Agent, url: string, key: string, id: string): Promise<Answer> {
  const startedAt = performance.now();
  const ended = (status: number | null, body: string): Answer => ({
    id,
    startedAt,
    endedAt: performance.now(),
    status,
    body,
  });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return new Promise((resolve) => {
    request(url, { method: 'POST', agent, headers }, (answer) => {
      text(answer).then(
        (body) => resolve(ended(answer.statusCode!, body)),
        (error: Error) => resolve(ended(null, error.message)),
      );
    })
      .on('error', (error) => resolve(ended(null, error.message)))
      .end(JSON.stringify({ id }));
  });
}

/** Kills one of the workers, and returns when: from the signal until the process is gone. */
async function killWorker(home: string): Promise<{ from: number; until: number }> {
  const workers = () => agentsOf(home).flatMap(childrenOf).filter(isWorker);
  await until('a worker runs', () => workers().length > 0);
  const living = workers();
  const pid = living[randomInt(living.length)]!;
  const from = performance.now();
  process.kill(pid, 'SIGKILL');
  while (readdirSync('/proc').includes(String(pid))) await sleep(1);
  return { from, until: performance.now() };
}

function isWorker(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'toolkit-worker\n';
  } catch {
    return false;
  }
}

function outcome(answers: Answer[], killed: { from: number; until: number }[], seen: string[]): Outcome {
  const isByKill = ({ startedAt, endedAt }: Answer) =>
    killed.some((kill) => startedAt < kill.until && endedAt > kill.from);
  const failed = answers.filter(({ status }) => status !== 200);
  const failedOtherwise = failed.filter((answer) => !isByKill(answer));
  const times = Map.groupBy(seen, (id) => id);
  const answered = answers.filter(({ status }) => status === 200);
  return {
    sent: answers.length,
    failedByKill: failed.length - failedOtherwise.length,
    failedOtherwise: failedOtherwise.map(({ id, status, body }) => `${id}: ${status} ${body}`),
    repeated: [...times.values()].filter((lines) => lines.length > 1).length,
    unseen: answered.filter(({ id }) => !times.has(id)).length,
    versions: new Set(answered.map(({ body }) => (JSON.parse(body) as { version: number }).version)).size,
  };
}
