/** Starts real platforms from source in temporary homes, and talks to them over HTTP like clients do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EndpointSpec } from '../../runtime/contract/appSpec.ts';
import type { Deployment, PartRef, PlanReport, RemoteEndpoint } from '../../runtime/contract/deployment.ts';
import { JOB_LIMITS } from '../../runtime/contract/limits.ts';
import type { Renewal } from '../../runtime/contract/liveRun.ts';
import { encodeManifest } from '../../runtime/contract/manifest.ts';
import { BASE_IMAGES, COMMON_SET } from '../../runtime/contract/names.ts';
import type { PlatformOptions, PlatformStartMessage } from '../../runtime/contract/platformOptions.ts';
import type { PlatformRecord } from '../../runtime/contract/stateManager.ts';
import { FOREIGN_COMMAND, foreignPart, SDK } from './sdkCode.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MAIN = path.join(ROOT, 'runtime/platform/main.ts');

const PYTHON = await pythonVersion();

/** The minor version of the interpreter that the platform finds first. */
async function pythonVersion(): Promise<string> {
  const child = spawn('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])']);
  let text = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) text += chunk.toString();
  return text.trim();
}

export interface StartOptions extends Partial<PlatformOptions> {
  env?: Record<string, string>;
}

export class TestHome {
  readonly folder: string;
  /** For files that tests and user code share, since user code cannot see the home. */
  readonly shared: string;
  readonly #started: TestPlatform[] = [];

  /** @param parent An existing folder. */
  constructor(parent = tmpdir()) {
    this.folder = mkdtempSync(path.join(parent, 'toolkit-platform-'));
    this.shared = mkdtempSync(path.join(tmpdir(), 'toolkit-shared-'));
  }

  async start(options: StartOptions = {}): Promise<TestPlatform> {
    const platform = await launch(this.folder, options);
    this.#started.push(platform);
    return platform;
  }

  /** Stops the platform and removes the folder. */
  async clean(): Promise<void> {
    for (const platform of this.#started) await platform.stop();
    // A killed platform leaves workers behind: the next start adopts them and its stop ends them.
    const left = this.#started.some((platform) => platform.killed);
    if (left) await (await launch(this.folder, {})).stop();
    for (const folder of [this.folder, this.shared]) rmSync(folder, { recursive: true, force: true });
  }
}

/** The process of a platform that is starting. */
export function spawnPlatform(home: string, { env = {}, ...options }: StartOptions = {}): ChildProcess {
  const all: PlatformOptions = {
    home,
    port: 0,
    host: '127.0.0.1',
    advertise: null,
    driver: 'process',
    gpu: 'auto',
    quota: 30,
    version: '0.1.0',
    workerPackage: SDK,
    python: null,
    uv: null,
    allowPrivateWebhooks: false,
    maxWaitingBytes: JOB_LIMITS.waitingBytes,
    ...options,
  };
  return spawn(process.execPath, [MAIN, JSON.stringify(all)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, ...env },
  });
}

/** Starts a platform and returns what it sent over its channel. */
export async function startProcess(
  home: string,
  options: StartOptions = {},
): Promise<{ child: ChildProcess; message: PlatformStartMessage }> {
  const child = spawnPlatform(home, options);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const message = await new Promise<PlatformStartMessage>((resolve, reject) => {
    child.once('message', (value) => resolve(value as PlatformStartMessage));
    child.once('exit', (code) => reject(new Error(`The platform ended with ${code}: ${stderr}`)));
  });
  return { child, message };
}

async function launch(home: string, options: StartOptions): Promise<TestPlatform> {
  const { child, message } = await startProcess(home, options);
  if (message.type === 'failed') throw new Error(`${message.error.code}: ${message.error.message}`);
  return new TestPlatform(home, child, message.record);
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

/** JSON that assertions look into. */
export interface Json {
  [key: string]: Json;
}

export class TestPlatform {
  readonly home: string;
  readonly record: PlatformRecord;
  readonly key: string;
  killed = false;
  readonly #child: ChildProcess;

  constructor(home: string, child: ChildProcess, record: PlatformRecord) {
    this.home = home;
    this.#child = child;
    this.record = record;
    const credentials = JSON.parse(readFileSync(path.join(home, 'credentials.json'), 'utf8')) as Record<
      string,
      { key: string }
    >;
    this.key = credentials[record.url]!.key;
  }

  get url(): string {
    return this.record.url;
  }

  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async kill(): Promise<void> {
    this.killed = true;
    await this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.ended) return;
    const exited = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill(signal);
    await exited;
  }

  /** A request with the owner's key, unless the headers contain another. */
  async request(
    method: string,
    target: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await fetch(target.startsWith('http') ? target : `${this.url}${target}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? {} : (JSON.parse(text) as Json),
    };
  }

  async graphql<Data>(query: string, variables: object = {}, key = this.key): Promise<Data> {
    const { body } = await this.request(
      'POST',
      '/graphql',
      { query, variables },
      { authorization: `Bearer ${key}` },
    );
    const { data, errors } = body as unknown as {
      data: Data;
      errors?: { message: string; extensions: { code: string; hint: string | null } }[];
    };
    if (errors) throw new GraphqlError(errors[0]!.message, errors[0]!.extensions);
    return data;
  }

  async plan(app: Deploy): Promise<PlanReport> {
    const { input } = await this.#input(app, false);
    const query = `query($input: PlanInput!) { plan(input: $input) { plan { ${PLAN} } revision notes } }`;
    const { app: name, environment, manifest, secrets } = input;
    return (
      await this.graphql<{ plan: PlanReport }>(query, {
        input: { app: name, environment, manifest, secrets },
      })
    ).plan;
  }

  /** Begins a deploy whose code is uploaded. */
  async begin(app: Deploy): Promise<Deployment> {
    const { input } = await this.#input(app, true);
    const query = `mutation($input: DeployInput!) { deploy(input: $input) { ${DEPLOYMENT} } }`;
    return (await this.graphql<{ deploy: Deployment }>(query, { input })).deploy;
  }

  /** Deploys and waits for the end. */
  async deploy(app: Deploy): Promise<Deployment> {
    let deployment = await this.begin(app);
    while (deployment.state === 'running') {
      await sleep(50);
      deployment = await this.deployment(deployment.id);
    }
    return deployment;
  }

  async deployment(id: string): Promise<Deployment> {
    const query = `query($id: ID!) { deployment(id: $id) { ${DEPLOYMENT} } }`;
    return (await this.graphql<{ deployment: Deployment }>(query, { id })).deployment;
  }

  async endpoints(app = 'shop', environment = 'production'): Promise<RemoteEndpoint[]> {
    const query = `query($app: String!, $environment: String!) { environment(app: $app, name: $environment) {
      endpoints { id name kind url build live run hardware routes
        workers { min max idle initializing running unhealthy } jobs { inQueue inProgress completed failed retried } } } }`;
    const data = await this.graphql<{ environment: { endpoints: RemoteEndpoint[] } | null }>(query, {
      app,
      environment,
    });
    return data.environment?.endpoints ?? [];
  }

  async endpoint(name: string): Promise<RemoteEndpoint> {
    const found = (await this.endpoints()).find((endpoint) => endpoint.name === name);
    if (!found) throw new Error(`There is no endpoint ${name}.`);
    return found;
  }

  async #input(app: Deploy, upload: boolean) {
    const code = Buffer.isBuffer(app.code) ? app.code : await foreignPart(app.code ?? 'code');
    const content = createHash('sha256').update(code).digest('hex');
    const part: PartRef = { role: 'code', content, sha256: content, size: code.length, dependencySet: null };
    if (upload) await this.upload(part, code);
    const parts = [part];
    for (const [dependencySet, bytes] of Object.entries(app.dependencies ?? {})) {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const set: PartRef = {
        role: 'dependencies',
        content: sha256,
        sha256,
        size: bytes.length,
        dependencySet,
      };
      if (upload) await this.upload(set, bytes);
      parts.push(set);
    }
    const input = {
      app: app.app ?? 'shop',
      environment: app.environment ?? 'production',
      manifest: encodeManifest(app.endpoints),
      parts,
      secrets: app.secrets ?? {},
      revision: app.revision ?? null,
      allowRemovals: app.allowRemovals ?? false,
    };
    return { input, code };
  }

  /**
   * Creates or updates a live endpoint and waits for the end of its rollout.
   *
   * @param carry - What is sent in place of the code's bytes, when these are not uploaded.
   */
  async provision(
    run: string,
    app: Deploy,
    carry: ((code: Buffer) => Buffer) | null = null,
  ): Promise<Deployment> {
    const { input, code } = await this.#input(app, carry === null);
    const { manifest, parts, secrets } = input;
    const query = `mutation($input: ProvisionInput!) { provision(input: $input) { ${DEPLOYMENT} } }`;
    const carried = carry ? [{ content: parts[0]!.content, bytes: carry(code).toString('base64') }] : [];
    const wanted = { run, manifest, parts, carried, secrets };
    let deployment = (await this.graphql<{ provision: Deployment }>(query, { input: wanted })).provision;
    while (deployment.state === 'running') {
      await sleep(50);
      deployment = await this.deployment(deployment.id);
    }
    return deployment;
  }

  /** Opens a WebSocket to a path of an endpoint. */
  async webSocket(url: string): Promise<WebSocket> {
    // Node's own accepts headers in addition to protocols, which its types do not know.
    const options = { headers: { authorization: `Bearer ${this.key}` } } as unknown as string[];
    const socket = new WebSocket(url.replace('http', 'ws'), options);
    await once(socket, 'open');
    return socket;
  }

  /** Renews a run of dev, and returns what the platform reports. */
  async renewRun(
    id: string,
    { wait = 0, declined = [] as object[], serving = [] as string[], app = 'shop' } = {},
  ): Promise<Renewal> {
    const query = `mutation($run: RunInput!, $declined: [DeclinedInput!]!, $serving: [ID!]!, $wait: Int!) {
      renewRun(run: $run, declined: $declined, serving: $serving, wait: $wait) { wanted lost } }`;
    const run = { id, app, environment: 'production' };
    return (await this.graphql<{ renewRun: Renewal }>(query, { run, declined, serving, wait })).renewRun;
  }

  async releaseRun(run: string, names: string[] | null = null): Promise<string[]> {
    const query = 'mutation($run: ID!, $names: [String!]) { releaseRun(run: $run, names: $names) }';
    return (await this.graphql<{ releaseRun: string[] }>(query, { run, names })).releaseRun;
  }

  async prepare(part: PartRef): Promise<{ missing: boolean; url: string | null }> {
    const query = 'mutation($parts: [PartInput!]!) { prepareUpload(parts: $parts) { content missing url } }';
    const data = await this.graphql<{ prepareUpload: { missing: boolean; url: string | null }[] }>(query, {
      parts: [part],
    });
    return data.prepareUpload[0]!;
  }

  async upload(part: PartRef, bytes: Buffer): Promise<void> {
    const { url } = await this.prepare(part);
    if (url === null) return;
    const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) });
    if (answer.status !== 201) throw new Error(`Upload: ${answer.status} ${await answer.text()}`);
  }
}

export class GraphqlError extends Error {
  readonly code: string;
  readonly hint: string | null;

  constructor(message: string, extensions: { code: string; hint: string | null }) {
    super(message);
    this.code = extensions.code;
    this.hint = extensions.hint;
  }
}

const PLAN = 'create update { name reasons } unchanged remove';
const DEPLOYMENT = `id state build plan { ${PLAN} } steps { endpoint state detail lines } error { code message hint }`;

export interface Deploy {
  app?: string;
  environment?: string;
  endpoints: EndpointSpec[];
  /** The code part, or the text by which one with the foreign worker differs from others. */
  code?: string | Buffer;
  /** Dependency set → its part. */
  dependencies?: Record<string, Buffer>;
  secrets?: Record<string, Record<string, string>>;
  revision?: number;
  allowRemovals?: boolean;
}

/** An endpoint whose command is the foreign worker in `Deploy.code`; queue-based and on a CPU by default. */
export function endpointSpec(name: string, changes: Partial<EndpointSpec> = {}): EndpointSpec {
  const byForeignWorker = { functions: [], handler: null, command: FOREIGN_COMMAND };
  return functionSpec(name, { ...byForeignWorker, ...changes });
}

/** An endpoint as a build describes the function of a `codePart`, which the toolkit's own worker serves. */
export function functionSpec(name: string, changes: Partial<EndpointSpec> = {}): EndpointSpec {
  return {
    name,
    kind: 'queue',
    image: BASE_IMAGES.cpu,
    hardware: { cpu: 'cpu5c-4-8' },
    workersMin: 0,
    workersMax: 2,
    idleTimeout: 60,
    gpuCount: 1,
    executionTimeout: 600,
    maxConcurrency: 1,
    env: {},
    python: PYTHON,
    dependencies: [],
    excluded: [],
    baseLayer: [],
    dependencySet: COMMON_SET,
    functions: [{ name: 'work', class: null, module: 'main', file: 'main.py', async: false }],
    routes: [],
    handler: `_toolkit/handlers/${name}.py`,
    command: null,
    fingerprint: { code: 'a'.repeat(64), dependencies: 'b'.repeat(64) },
    ...changes,
  };
}

export function loadBalancedSpec(name: string, changes: Partial<EndpointSpec> = {}): EndpointSpec {
  return endpointSpec(name, { kind: 'load-balanced', ...changes });
}

/** Whether a process is running. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // No such process.
    return false;
  }
}

/** Waits until a condition is true. */
export async function until(what: string, ask: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + 90_000;
  while (!(await ask())) {
    if (performance.now() > deadline) throw new Error(`Never came: ${what}`);
    await sleep(50);
  }
}
