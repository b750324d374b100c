/** A project on the platform that `toolkit deploy` starts, and its endpoints as clients reach them. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeployDocument } from '../../../runtime/contract/cliDocuments.ts';
import type { EndpointHealth, PendingJobBody } from '../../../runtime/contract/job.ts';
import { HOME_FILES, type PlatformRecord } from '../../../runtime/contract/stateManager.ts';
import { cleanEnvironment, cli, runCommand, writeProject } from '../../setup/toolkit.ts';
import type { Bench } from './bench.ts';

/** Downloads shared by all tests and benchmarks; ignored by git. */
const sharedCache = path.join(import.meta.dirname, '../../../.cache');

/** Longer than any round. */
const PATIENCE_MS = 120_000;

export class Deployed {
  readonly key: string;
  readonly record: PlatformRecord;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #urls: Map<string, string>;

  constructor(home: string, key: string, endpoints: { name: string; url: string }[]) {
    this.key = key;
    this.record = JSON.parse(readFileSync(path.join(home, HOME_FILES.record), 'utf8')) as PlatformRecord;
    this.#urls = new Map(endpoints.map(({ name, url }) => [name, url]));
  }

  /** Headers of every request. */
  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' };
  }

  /** The address of an endpoint. */
  url(endpoint: string): string {
    const url = this.#urls.get(endpoint);
    if (url === undefined) throw new Error(`There is no endpoint ${endpoint}.`);
    return url;
  }

  /** Sends a request over a kept connection, and parses its response. */
  async send<Body>(method: 'GET' | 'POST', url: string, body?: string): Promise<Body> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { method, agent: this.#agent, headers: this.headers }, resolve)
        .on('error', reject)
        .end(body);
    });
    const received = await text(answer);
    if (answer.statusCode !== 200) throw new Error(`${method} ${url}: ${answer.statusCode} ${received}`);
    return JSON.parse(received) as Body;
  }

  /** Submits many jobs with one request. All must be accepted. */
  async runBatch(endpoint: string, jobs: { input: object }[]): Promise<void> {
    const url = `${this.url(endpoint)}/run-batch`;
    const submitted = await this.send<{ jobs: PendingJobBody[] }>('POST', url, JSON.stringify({ jobs }));
    const accepted = submitted.jobs.filter(({ id, status }) => id !== '' && status === 'IN_QUEUE').length;
    if (accepted !== jobs.length)
      throw new Error(`Of ${jobs.length} jobs of a batch, ${accepted} were accepted.`);
  }

  health(endpoint: string): Promise<EndpointHealth> {
    return this.send('GET', `${this.url(endpoint)}/health`);
  }

  /** Waits until the health of an endpoint is as asked. */
  async until(endpoint: string, isSo: (health: EndpointHealth) => boolean, pollMs = 20): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    for (let health = await this.health(endpoint); !isSo(health); health = await this.health(endpoint)) {
      if (health.jobs.failed > 0 || performance.now() > deadline)
        throw new Error(`The endpoint ${endpoint} does not come so far: ${JSON.stringify(health)}`);
      await sleep(pollMs);
    }
  }
}

/** Deploys the files of a project on a platform of its own, which ends with the benchmark. */
export async function deploy(bench: Bench, files: Record<string, string>): Promise<Deployed> {
  const home = path.join(bench.folder, 'home');
  mkdirSync(sharedCache, { recursive: true });
  mkdirSync(home);
  symlinkSync(sharedCache, path.join(home, 'cache'));
  const project = writeProject(path.join(bench.folder, 'app'), { 'pyproject.toml': '', ...files });
  const env = { ...cleanEnvironment(), TOOLKIT_HOME: home };
  const toolkit = (args: string[], signal?: AbortSignal) =>
    runCommand(process.execPath, [cli, ...args], { cwd: project, env, ...(signal && { signal }) });
  const deploying = toolkit(['deploy', '--json'], bench.signal);
  bench.atEnd(async () => {
    await deploying;
    await toolkit(['platform', 'stop']);
  });
  const deployed = await deploying;
  if (deployed.code !== 0) throw new Error(`toolkit deploy failed:\n${deployed.stderr}${deployed.stdout}`);
  const { queueBased, loadBalanced } = deployed.json<DeployDocument>();
  const key = await toolkit(['platform', 'key']);
  return new Deployed(home, key.stdout.trim(), [...queueBased, ...loadBalanced]);
}
