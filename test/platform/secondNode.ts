/**
 * A second node on this machine: an agent with its own folder, which connects like one of another machine.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AGENT_FILES, type AgentStart } from '../../runtime/contract/agentProtocol.ts';
import { type TestPlatform, until } from './harness.ts';
import { SDK } from './sdkCode.ts';

/** What the platform's log reports about its nodes. */
export interface NodeEvent {
  msg: string;
  node?: string;
  worker?: string;
  workers?: number;
  reason?: string;
  capacity?: object;
}

/** A platform, however it was started. */
type Reached = Pick<TestPlatform, 'home' | 'url'>;

export class SecondNode {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'toolkit-node-'));
  readonly #token = path.join(this.folder, AGENT_FILES.token);
  readonly #platform: Reached;
  readonly #path: string;
  #agent: ChildProcess | null = null;

  /** @param searched The PATH of its agent. */
  constructor(platform: Reached, searched = process.env['PATH']!) {
    this.#platform = platform;
    this.#path = searched;
    cpSync(path.join(platform.home, 'platform', AGENT_FILES.token), this.#token);
  }

  /** Another secret than the platform's. */
  forgetToken(): void {
    writeFileSync(this.#token, 'a-guess\n');
  }

  get pid(): number {
    return this.#agent?.pid ?? 0;
  }

  /** Starts its agent like a program that starts nodes. */
  launch(changes: Partial<AgentStart> = {}): void {
    const start: AgentStart = {
      node: 'second',
      platform: this.#platform.url,
      token: this.#token,
      lock: path.join(this.folder, AGENT_FILES.lock),
      logs: path.join(this.folder, 'logs'),
      work: path.join(this.folder, 'work'),
      cache: path.join(this.folder, 'cache'),
      home: this.folder,
      ...changes,
    };
    this.#agent = spawn('python3', ['-m', 'toolkit_sdk._agent', JSON.stringify(start)], {
      cwd: this.folder,
      env: { PATH: this.#path, PYTHONPATH: SDK },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }

  /** Starts its agent and waits until the platform knows it. */
  async start(): Promise<void> {
    const before = this.#connections();
    this.launch();
    await until('the second node is connected', () => this.#connections() > before);
  }

  /** The output of its agent after its end, and its exit code. */
  async ended(): Promise<{ code: number | null; printed: string }> {
    const agent = this.#agent!;
    let printed = '';
    agent.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    if (agent.exitCode === null && agent.signalCode === null)
      await new Promise((resolve) => agent.once('close', resolve));
    return { code: agent.exitCode, printed };
  }

  async kill(): Promise<void> {
    this.#agent?.kill('SIGKILL');
    await this.ended();
  }

  /** Ids of the workers on this node. */
  workers(): string[] {
    return workersIn(path.join(this.folder, 'work'));
  }

  async clean(): Promise<void> {
    if (this.#agent) await this.kill();
    // Its workers end a moment after their agent, and write until then.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  #connections(): number {
    return nodeEventsOf(this.#platform).filter(
      ({ msg, node }) => msg === 'node agent connected' && node === 'second',
    ).length;
  }
}

/** Ids of the workers on the platform's own node. */
export function localWorkers({ home }: Reached): string[] {
  return workersIn(path.join(home, 'platform/workers'));
}

/** The platform's log. */
export function nodeEventsOf({ home }: Reached): NodeEvent[] {
  const lines = readFileSync(path.join(home, 'platform/platform.log'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as NodeEvent);
}

function workersIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No worker has been started yet.
    return [];
  }
}
