/**
 * Sends one corpus of requests to the same project under `dev` and deployed: bodies and status codes are
 * equal.
 */
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
/** Concurrent requests on each side. */
const WIDTH = 8;

/** The side that responds: dev or the deployed endpoints. */
interface Side {
  /** The URL of an endpoint. */
  address(endpoint: CorpusRequest['to']): string;
  headers: Record<string, string>;
}

interface Answer {
  status: number;
  type: string | undefined;
  body: Buffer;
  /** Whether the response is complete. */
  complete: boolean;
}

describe('the same requests to dev and to deployed endpoints', () => {
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

  it('get equal bodies and status codes', async () => {
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
    process.stdout.write(
      `${CORPUS.length - different.length} of ${CORPUS.length} requests: equal responses\n`,
    );
    assert.deepEqual(different, []);
  });
});

/** The parts that are compared. */
interface Compared {
  status: number;
  type: string | undefined;
  complete: boolean;
  body: string;
  /** The status code, or the state of a job. */
  answers: CorpusRequest['answers'];
}

async function ask(side: Side, one: CorpusRequest): Promise<Compared> {
  const { run } = one;
  const job = run === undefined ? '' : await jobOf(side, one.to, run, !one.path.endsWith('/cancel/JOB'));
  const answer = await send(side, { ...one, path: one.path.replace('JOB', job) });
  const text = answer.body.toString('latin1');
  const isJson = answer.type?.startsWith('application/json') && text !== '';
  const parsed: unknown = isJson ? JSON.parse(answer.body.toString()) : text;
  const body = isObject(parsed) ? withoutNamed(parsed, job) : parsed;
  const isEnd = isObject(parsed) && ['COMPLETED', 'FAILED', 'CANCELLED'].includes(String(parsed['status']));
  return {
    status: answer.status,
    // JSON has no charset parameter (RFC 8259), so it may differ.
    type: answer.type?.replace(/^(application\/json); charset=utf-8$/, '$1'),
    complete: answer.complete,
    body: JSON.stringify(body),
    answers: isEnd ? (parsed['status'] as CorpusRequest['answers']) : answer.status,
  };
}

/** Creates a job, and waits until it runs or ends. */
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

/** Sends a request exactly as written: neither its path nor its body is normalized. */
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
    // A server can close an idle connection just when it is used again.
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

/** Fields that can differ: of a job, of an error, and of a failed job's reason. */
const NAMED_IN_JOB = ['id', 'workerId', 'delayTime', 'executionTime', 'stage'];
const NAMED_IN_ERROR = ['request_id', 'traceback'];
const NAMED_IN_REASON = ['hostname', 'worker_id', 'error_traceback'];

/** A response without the fields that can differ; the function's return value stays complete. */
function withoutNamed(parsed: Record<string, unknown>, job: string): object {
  if ('status' in parsed && ('id' in parsed || 'stream' in parsed)) {
    const { error } = parsed;
    return without(NAMED_IN_JOB, typeof error === 'string' ? { ...parsed, error: reasonOf(error) } : parsed);
  }
  if (!('code' in parsed)) return parsed;
  const error = String(parsed['error']);
  return without(NAMED_IN_ERROR, { ...parsed, error: job === '' ? error : error.replaceAll(job, 'JOB') });
}

/**
 * The structured reason of a failed job, or the text. If a called endpoint failed, its message contains the
 * job's id there.
 */
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
  const shown = ({ status, type, complete, body }: Compared) =>
    `${status} ${type}${complete ? '' : ' (cut)'} ${body.slice(0, 300)}`;
  return `${at} differs:\n  dev:      ${shown(dev)}\n  deployed: ${shown(deployed)}`;
}

function bodyText({ body, raw, run }: CorpusRequest): string {
  return (raw?.toString() ?? JSON.stringify(body ?? run) ?? '').slice(0, 100);
}
