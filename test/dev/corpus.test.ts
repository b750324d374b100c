/** One corpus of requests to the same project under `dev` and deployed: bodies and statuses are equal. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeployDocument } from '../../runtime/contract/cliDocuments.ts';
import { workbench } from '../setup/toolkit.ts';
import { type CorpusRequest, PREFIXES } from './corpus/CorpusRequest.ts';
import { JOB_REQUESTS } from './corpus/jobRequests.ts';
import { ROUTE_REQUESTS } from './corpus/routeRequests.ts';
import { DevSession } from './devSession.ts';

const CORPUS = [...JOB_REQUESTS, ...ROUTE_REQUESTS];
/** Requests under way at each side. */
const WIDTH = 8;

/** Who answers, dev or what is deployed. */
interface Side {
  /** Where an endpoint begins. */
  address(endpoint: CorpusRequest['to']): string;
  headers: Record<string, string>;
}

interface Answer {
  status: number;
  type: string | undefined;
  body: Buffer;
  /** Whether the answer came to its end. */
  complete: boolean;
}

describe('the same requests to dev and to what is deployed', () => {
  const bench = workbench({ after });
  let dev: DevSession;
  let sides: { dev: Side; deployed: Side };

  before(async () => {
    const project = path.join(bench.folder, 'corpus');
    cpSync(path.join(import.meta.dirname, 'corpus/project'), project, { recursive: true });
    const [session, ran] = await Promise.all([
      DevSession.start(project, bench.home),
      bench.toolkit(project, ['deploy', '--json']),
    ]);
    dev = session;
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    const { loadBalanced, queueBased } = ran.json<DeployDocument>();
    const urls = new Map([...loadBalanced, ...queueBased].map(({ name, url }) => [name, url]));
    const key = (await bench.toolkit(project, ['platform', 'key'])).stdout.trim();
    sides = {
      dev: { address: (endpoint) => dev.url + PREFIXES[endpoint], headers: {} },
      deployed: {
        address: (endpoint) => urls.get(endpoint)!,
        headers: { authorization: `Bearer ${key}` },
      },
    };
  });
  after(() => dev?.stop());

  it('are answered with equal bodies and statuses', async () => {
    assert.ok(CORPUS.length >= 200);
    const different: string[] = [];
    const compare = async (one: CorpusRequest) => {
      const [ours, deployed] = await Promise.all([ask(sides.dev, one), ask(sides.deployed, one)]);
      const fault =
        difference(ours, deployed) ??
        (deployed.answers === one.answers ? null : `both were ${deployed.answers}, not ${one.answers}`);
      if (fault) different.push(`${one.method} ${one.to}${one.path} ${bodyText(one)}: ${fault}`);
    };
    const waiting = CORPUS.filter(({ last }) => !last);
    await Promise.all(
      Array.from({ length: WIDTH }, async () => {
        for (let one = waiting.shift(); one; one = waiting.shift()) await compare(one);
      }),
    );
    for (const one of CORPUS.filter(({ last }) => last)) await compare(one);
    process.stdout.write(`${CORPUS.length - different.length} of ${CORPUS.length} requests: equal answers\n`);
    assert.deepEqual(different, []);
  });
});

/** What is compared. */
interface Compared {
  status: number;
  type: string | undefined;
  complete: boolean;
  body: string;
  /** The status, or the state of a job. */
  answers: CorpusRequest['answers'];
}

async function ask(side: Side, one: CorpusRequest): Promise<Compared> {
  const { run } = one;
  const job = run === undefined ? '' : await jobOf(side, one.to, run, !one.path.endsWith('/cancel/JOB'));
  const answer = await send(side, { ...one, path: one.path.replace('JOB', job) });
  const text = answer.body.toString('latin1');
  const isJson = answer.type?.startsWith('application/json') && text !== '';
  const said: unknown = isJson ? JSON.parse(answer.body.toString()) : text;
  const body = isObject(said) ? withoutNamed(said, job) : said;
  const isEnd = isObject(said) && ['COMPLETED', 'FAILED', 'CANCELLED'].includes(String(said['status']));
  return {
    status: answer.status,
    type: answer.type,
    complete: answer.complete,
    body: JSON.stringify(body),
    answers: isEnd ? (said['status'] as CorpusRequest['answers']) : answer.status,
  };
}

/** Makes a job, and waits for its end or that it runs. */
async function jobOf(side: Side, to: CorpusRequest['to'], input: object, ends: boolean): Promise<string> {
  const made = await send(side, { to, method: 'POST', path: '/run', body: { input }, answers: 200 });
  const { id } = JSON.parse(made.body.toString()) as { id: string };
  for (const deadline = Date.now() + 60_000; ; await sleep(20)) {
    const status = await send(side, { to, method: 'GET', path: `/status/${id}`, answers: 200 });
    const state = (JSON.parse(status.body.toString()) as { status: string }).status;
    if (state === 'IN_PROGRESS' ? !ends : state !== 'IN_QUEUE') return id;
    assert.ok(Date.now() < deadline, `the job stays ${state}`);
  }
}

/** Sends a request as it is written: neither its path nor its body is normalised. */
function send(side: Side, one: CorpusRequest): Promise<Answer> {
  const { host, hostname, port, pathname } = new URL(side.address(one.to));
  const raw = one.raw ?? (one.body === undefined ? null : JSON.stringify(one.body));
  const type = raw === null ? {} : { 'content-type': 'application/json' };
  const length = raw === null || one.chunked ? {} : { 'content-length': Buffer.byteLength(raw) };
  const options = {
    hostname,
    port,
    method: one.method,
    path: (pathname === '/' ? '' : pathname) + one.path || '/',
    headers: { host, ...type, ...length, ...side.headers, ...one.headers },
    // A server may close a connection that is idle just when it is used again.
    agent: false,
  } as const;
  return new Promise((resolve, reject) => {
    const sent = request(options, (answer) => {
      const chunks: Buffer[] = [];
      const end = () =>
        resolve({
          status: answer.statusCode!,
          type: answer.headers['content-type'],
          body: Buffer.concat(chunks),
          complete: answer.complete,
        });
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('end', end).once('error', end);
    });
    sent.on('error', (error) => reject(new Error(`${one.method} ${one.to}${one.path}`, { cause: error })));
    if (raw !== null) sent.write(raw);
    sent.end();
  });
}

/** What may differ, of a job, of an error, and of the reason that a failed job has. */
const NAMED_IN_JOB = ['id', 'workerId', 'delayTime', 'executionTime', 'stage'];
const NAMED_IN_ERROR = ['request_id', 'traceback'];
const NAMED_IN_REASON = ['hostname', 'worker_id', 'error_traceback'];

/** An answer without what may differ; what a function has returned stays whole. */
function withoutNamed(said: Record<string, unknown>, job: string): object {
  if ('status' in said && ('id' in said || 'stream' in said)) {
    const { error } = said;
    return without(NAMED_IN_JOB, typeof error === 'string' ? { ...said, error: reasonOf(error) } : said);
  }
  if (!('code' in said)) return said;
  const error = String(said['error']);
  return without(NAMED_IN_ERROR, { ...said, error: job === '' ? error : error.replaceAll(job, 'JOB') });
}

/** The structured reason of a failed job, or the text. Where a peer failed, its message has the id of the job there. */
function reasonOf(error: string): unknown {
  if (!error.startsWith('{')) return error;
  const reason = JSON.parse(error) as Record<string, unknown>;
  const message = String(reason['error_message']).replace(/, job [0-9a-f-]{36}\)/, ', job JOB)');
  return without(NAMED_IN_REASON, { ...reason, error_message: message });
}

function without(names: readonly string[], body: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function difference(dev: Compared, deployed: Compared): string | null {
  const at = (Object.keys(dev) as (keyof Compared)[]).find((key) => dev[key] !== deployed[key]);
  if (!at) return null;
  const told = ({ status, type, complete, body }: Compared) =>
    `${status} ${type}${complete ? '' : ' (cut)'} ${body.slice(0, 300)}`;
  return `${at} differs:\n  dev:      ${told(dev)}\n  deployed: ${told(deployed)}`;
}

function bodyText({ body, raw, run }: CorpusRequest): string {
  return (raw?.toString() ?? JSON.stringify(body ?? run) ?? '').slice(0, 100);
}
