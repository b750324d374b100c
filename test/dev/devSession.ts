/** A real `toolkit dev --json` of a project in its own home, and requests to it. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import path from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevEvent } from '../../runtime/contract/devEvents.ts';
import { cleanEnvironment } from '../setup/toolkit.ts';

const cli = path.join(import.meta.dirname, '../../dist/cli.js');

type EventOf<Name extends DevEvent['event']> = Extract<DevEvent, { event: Name }>;

/** A response. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sessions of failed tests end with their file. */
const started: DevSession[] = [];
after(() => {
  for (const { child } of started) child.kill('SIGKILL');
});

export class DevSession {
  readonly child: ChildProcessWithoutNullStreams;
  readonly events: DevEvent[] = [];
  stderr = '';
  url = '';
  #rest = '';

  constructor(
    project: string,
    home: string,
    args: readonly string[] = [],
    variables: Record<string, string> = {},
  ) {
    const env = { ...cleanEnvironment(), TOOLKIT_HOME: home, ...variables };
    started.push(this);
    this.child = spawn(process.execPath, [cli, 'dev', '--json', ...args], { cwd: project, env });
    this.child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.#take(chunk));
    this.child.stderr.setEncoding('utf8').on('data', (chunk: string) => (this.stderr += chunk));
  }

  /** Starts dev on a free port and waits until it responds. */
  static async start(
    project: string,
    home: string,
    args: readonly string[] = [],
    variables: Record<string, string> = {},
  ): Promise<DevSession> {
    const session = new DevSession(project, home, ['--port', String(freePortFrom()), ...args], variables);
    session.url = (await session.event('ready')).url;
    return session;
  }

  /** The first event of a kind, from a given index on, that meets a condition. */
  async event<Name extends DevEvent['event']>(
    name: Name,
    { from = 0, is = () => true }: { from?: number; is?: (event: EventOf<Name>) => boolean } = {},
  ): Promise<EventOf<Name>> {
    for (const deadline = Date.now() + 60_000; ; await sleep(10)) {
      const found = this.events
        .slice(from)
        .find((one): one is EventOf<Name> => one.event === name && is(one as EventOf<Name>));
      if (found) return found;
      const state = `${JSON.stringify(this.events)} ${this.stderr}`;
      assert.equal(this.child.exitCode, null, `dev ended before "${name}": ${state}`);
      assert.ok(Date.now() < deadline, `"${name}" never came: ${state}`);
    }
  }

  async request(
    method: string,
    target: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    const type = text === null ? {} : { 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const sent = request(this.url + target, { method, headers: { ...type, ...headers } }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, text }));
        answer.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(text ?? undefined);
    });
  }

  /** The entry of an endpoint in `GET /`. */
  async health(name: string): Promise<{ name: string; state: string; stale?: { code: string } }> {
    const { text } = await this.request('GET', '/');
    const { endpoints } = JSON.parse(text) as { endpoints: { name: string; state: string }[] };
    return endpoints.find((endpoint) => endpoint.name === name)!;
  }

  /** The output of one run of a queue-based function. */
  async run(prefix: string, input: object): Promise<unknown> {
    const answer = await this.request('POST', `${prefix}/runsync`, { input });
    const body = JSON.parse(answer.text) as { status: string; output?: unknown };
    assert.equal(body.status, 'COMPLETED', answer.text);
    return body.output;
  }

  /** Stops dev by a signal; resolves with its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    const [code] = (await exited) as [number | null];
    return code;
  }

  #take(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) this.events.push(JSON.parse(line) as DevEvent);
  }
}

let next = 20_000 + Math.floor(Math.random() * 20_000);

/** A port that other sessions do not start from; dev takes the next free one. */
function freePortFrom(): number {
  next += 50;
  return next;
}
