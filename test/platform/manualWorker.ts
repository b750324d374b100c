/**
 * A worker whose protocol the test speaks itself, with the token of a real worker process that stays silent.
 */

import type { EndpointSpec } from '../../runtime/contract/appSpec.ts';
import { ATTEMPT_HEADER } from '../../runtime/contract/workerProtocol.ts';
import { type Deploy, endpointSpec, type Json, type TestHome, type TestPlatform, until } from './harness.ts';
import { foreignWorkers } from './processes.ts';

export interface Reply {
  status: number;
  body: Json;
}

export class ManualWorker {
  readonly id: string;
  readonly pid: number;
  readonly endpoint: string;
  /** The token that its process was started with. */
  readonly environment: Record<string, string>;
  readonly #platform: TestPlatform;
  readonly token: string;

  constructor(platform: TestPlatform, pid: number, environment: Record<string, string>) {
    this.#platform = platform;
    this.environment = environment;
    this.pid = pid;
    this.id = environment['RUNPOD_POD_ID']!;
    this.endpoint = environment['RUNPOD_ENDPOINT_ID']!;
    this.token = environment['RUNPOD_AI_API_KEY']!;
  }

  /** One of its routes, such as `job-done/$ID/JOB`. */
  async call(
    method: string,
    route: string,
    options: { body?: unknown; text?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Reply> {
    const { body, headers, signal } = options;
    const text = options.text ?? (body === undefined ? null : JSON.stringify(body));
    const answer = await fetch(`${this.#platform.url}/v2/${this.endpoint}/${route.replace('$ID', this.id)}`, {
      method,
      headers: { authorization: this.token, ...headers },
      ...(text === null ? {} : { body: text }),
      ...(signal ? { signal } : {}),
    });
    const reply = await answer.text();
    return { status: answer.status, body: reply === '' ? {} : (JSON.parse(reply) as Json) };
  }

  /** Takes a job like third-party workers do; 204 without a job. */
  take(signal?: AbortSignal): Promise<Reply> {
    return this.call('GET', 'job-take/$ID?job_in_progress=0', signal ? { signal } : {});
  }

  /** Posts for a job what a worker posts, with an attempt if it knows one. */
  done(job: string, body: unknown, attempt?: number): Promise<Reply> {
    const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
    if (attempt !== undefined) headers[ATTEMPT_HEADER] = String(attempt);
    return this.call('POST', `job-done/$ID/${job}?isStream=false`, { body, headers });
  }
}

export interface SilentEndpoint {
  platform: TestPlatform;
  /** Its only worker. */
  worker: ManualWorker;
  url: string;
}

/** Starts a platform with one endpoint whose worker is silent, in addition to the given endpoints. */
export async function startSilent(home: TestHome, others: EndpointSpec[] = []): Promise<SilentEndpoint> {
  const platform = await home.start();
  const silent = endpointSpec('silent', { env: { MANUAL: '1' }, workersMin: 1, workersMax: 1 });
  const [worker] = await deployManual(platform, { endpoints: [silent, ...others] });
  return { platform, worker: worker!, url: (await platform.endpoint('silent')).url };
}

/** Deploys endpoints with `MANUAL` in their environment; the first take shows that a worker has started. */
export async function deployManual(platform: TestPlatform, app: Deploy): Promise<ManualWorker[]> {
  const others = new Set(manualWorkers(platform).map((worker) => worker.id));
  const { id } = await platform.begin(app);
  const found = new Map<string, ManualWorker>();
  const proven = new AbortController();
  await until('every worker has started', async () => {
    for (const worker of manualWorkers(platform)) {
      if (others.has(worker.id) || found.has(worker.id)) continue;
      found.set(worker.id, worker);
      worker.take(proven.signal).catch(() => undefined); // Ended by the test.
    }
    return (await platform.deployment(id)).state !== 'running';
  });
  proven.abort();
  const { state, error } = await platform.deployment(id);
  if (state !== 'succeeded') throw new Error(error?.message);
  return [...found.values()];
}

/** The silent workers that run now. */
export function manualWorkers(platform: TestPlatform): ManualWorker[] {
  return foreignWorkers(platform.url)
    .filter(({ environment }) => environment['MANUAL'] !== undefined)
    .map(({ pid, environment }) => new ManualWorker(platform, pid, environment));
}

/** The worker of an endpoint whose variable `MANUAL` has a value. Waits until it runs. */
export async function manualWorker(platform: TestPlatform, value: string): Promise<ManualWorker> {
  let found: ManualWorker | undefined;
  // Kept when it is seen: /proc has no environment of a process that is just starting another program.
  await until(`a worker of ${value} runs`, () => {
    found = manualWorkers(platform).find(({ environment }) => environment['MANUAL'] === value);
    return found !== undefined;
  });
  return found!;
}
