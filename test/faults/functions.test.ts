/**
 * Functions that misbehave, deployed by the command: each fails at most its own job, with a reason in one
 * sentence.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobExceptionBody, TerminalJobBody } from '../../runtime/contract/job.ts';
import { WORKER_LIMITS } from '../../runtime/contract/limits.ts';
import { HOME_FILES } from '../../runtime/contract/stateManager.ts';
import { agentsOf } from '../platform/processes.ts';
import { workbench } from '../setup/toolkit.ts';
import { MISBEHAVING } from './misbehaving.ts';

interface Deployed {
  queueBased: { name: string; url: string }[];
}

describe('functions that misbehave', { concurrency: 4 }, () => {
  const bench = workbench({ after });
  const urls = new Map<string, string>();
  let key = '';

  before(async () => {
    const project = bench.project('odd', MISBEHAVING);
    const ran = await bench.toolkit(project, ['deploy', '--json']);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    for (const { name, url } of ran.json<Deployed>().queueBased) urls.set(name, url);
    key = (await bench.toolkit(project, ['platform', 'key'])).stdout.trim();
  });

  async function post<Body = TerminalJobBody>(
    endpoint: string,
    route: string,
    body: unknown = {},
  ): Promise<Body> {
    const answer = await fetch(`${urls.get(endpoint)}/${route}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200, await answer.clone().text());
    return (await answer.json()) as Body;
  }

  const run = (endpoint: string, input: object): Promise<TerminalJobBody> =>
    post(endpoint, 'runsync?wait=300000', { input });

  /** The whole sentence of a failure, or type and message of an exception. */
  async function failure(endpoint: string, input: object): Promise<string> {
    const body = await run(endpoint, input);
    assert.equal(body.status, 'FAILED', JSON.stringify(body));
    assert.ok(body.error);
    if (!body.error.startsWith('{')) return body.error;
    const exception = JSON.parse(body.error) as JobExceptionBody;
    return `${exception.error_type}: ${exception.error_message}`;
  }

  const answers = async (endpoint: string): Promise<void> =>
    assert.equal((await run(endpoint, { how: 'fine' })).output, 'fine');

  const cases: [title: string, endpoint: string, how: string, reason: RegExp][] = [
    [
      'returns NaN',
      'returns',
      'nan',
      /^output\.scores\[1\] is NaN, which cannot be converted to JSON; use None or a string\.$/,
    ],
    [
      'returns a set',
      'returns',
      'set',
      /^output is a set, which cannot be converted to JSON; make it a list\.$/,
    ],
    [
      'returns an object',
      'returns',
      'object',
      /^output is functions\.Thing, which cannot be converted to JSON; use strings/,
    ],
    [
      'returns an object that contains itself',
      'returns',
      'cycle',
      /^output refers to itself or is nested too deeply/,
    ],
    ['returns more than 20 MB', 'returns', 'huge', /^output is 21,000,002 bytes; the limit is 20,000,000\.$/],
    ['raises', 'raises', 'error', /^ValueError: on purpose$/],
    [
      'raises an exception without text',
      'raises',
      'textless',
      /^functions\.Textless: <its text cannot be read: RuntimeError>$/,
    ],
    ['raises something that is not an Exception', 'raises', 'interrupt', /^KeyboardInterrupt: $/],
    ['calls sys.exit', 'raises', 'exit', /^SystemExit: The function called sys\.exit\(3\)\.$/],
    [
      'imports a missing package',
      'raises',
      'import',
      /'pyyaml' is not installed on the worker; declare it in dependencies and import it inside the function body\.$/,
    ],
    [
      'exits the process',
      'dies',
      'exit',
      /^WorkerCrashed: The worker's process ended with exit code 7 while/,
    ],
    [
      'reads memory that does not belong to it',
      'dies',
      'segfault',
      /^WorkerLost: worker lost: SIGSEGV \(11\) while the function ran, \d+ MB in use, 3 retries$/,
    ],
    [
      'is killed',
      'dies',
      'kill',
      /^WorkerLost: worker lost: SIGKILL \(9\) while the function ran, \d+ MB in use, 3 retries$/,
    ],
    ['blocks forever', 'sleeps', 'block', /^executionTimeout exceeded$/],
    ['blocks its event loop forever', 'spins', 'block', /^executionTimeout exceeded$/],
    ['blocks forever inside C code', 'sticks', 'block', /^executionTimeout exceeded$/],
    [
      'uses too much memory',
      'hungry',
      'eat',
      /^MemoryExceeded: The function used more than the 1 GB of memory that its worker has\. Use less, or declare a larger CPU type\.$/,
    ],
  ];
  for (const [title, endpoint, how, reason] of cases) {
    it(`a function that ${title} fails its job, and the next one runs`, async () => {
      assert.match(await failure(endpoint, { how }), reason);
      await answers(endpoint);
    });
  }

  it('an invalid input is reported by argument', async () => {
    assert.equal(await failure('returns', {}), 'returns is missing the argument "how".');
    assert.equal(
      await failure('returns', { how: 'fine', x: 1 }),
      'returns has no argument "x"; it takes: how.',
    );
    assert.match(
      await failure('returns', { how: 3 }),
      /^The argument "how" of returns must be a string, not/,
    );
  });

  it('an input nested deeper than Python can read fails its job, and the next one runs', async () => {
    const deep = `{"input":{"how":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    const answer = await fetch(`${urls.get('returns')}/runsync?wait=300000`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: deep,
    });
    const { error } = (await answer.json()) as TerminalJobBody;
    assert.equal(error, 'The input is nested too deeply for Python to read.');
    await answers('returns');
  });

  it('a function that prints 100 MB succeeds, and neither memory nor disk fills up', async () => {
    const body = await run('loud', { how: 'print' });
    assert.equal(body.status, 'COMPLETED', body.error);
    const { printed, peak } = body.output as { printed: number; peak: number };
    assert.equal(printed, 100_000_000);
    assert.ok(peak < 200e6, `the function's process held ${peak} bytes`);
    const agent = peakOf(bench.home);
    assert.ok(agent < 200e6, `the node agent held ${agent} bytes`);
    await answers('loud');
    const platform = path.join(bench.home, HOME_FILES.platformDir);
    const pieces = readdirSync(platform, { recursive: true, encoding: 'utf8' }).filter(
      (file) => path.basename(file).startsWith(body.workerId!) && file.endsWith('.log'),
    );
    const bytes = pieces.reduce((sum, file) => sum + statSync(path.join(platform, file)).size, 0);
    assert.ok(bytes > 0 && bytes <= WORKER_LIMITS.logBytes, `the worker's log has ${bytes} bytes`);
  });

  it('a function that forks returns one result', async () => {
    assert.deepEqual((await run('forks', { how: 'return' })).output, 'parent');
    await answers('forks');
  });

  it('processes that a function leaves running end with its process', async () => {
    const child = (await run('leaves', { how: 'leave' })).output as number;
    assert.ok(isAlive(child));
    assert.match(await failure('leaves', { how: 'die' }), /^WorkerCrashed/);
    while (isAlive(child)) await sleep(20);
    await answers('leaves');
  });

  it('a function that closes its output, its files and its connection fails only its own job', async () => {
    assert.equal((await run('forks', { how: 'close output' })).output, 'closed');
    assert.match(await failure('forks', { how: 'close files' }), /^WorkerCrashed/);
    await answers('forks');
  });

  it('a generator that never ends is cancelled, and the next one runs', async () => {
    const { id } = await post('endless', 'run', { input: { end: false } });
    while ((await stream(id)).length === 0) await sleep(20);
    assert.equal((await post('endless', `cancel/${id}`)).status, 'CANCELLED');
    assert.deepEqual((await run('endless', { end: true })).output, [0, 1, 2]);
  });

  async function stream(id: string): Promise<unknown[]> {
    return (await post<{ stream: unknown[] }>('endless', `stream/${id}`)).stream;
  }

  it('a class serves all jobs with one instance, also for its peers', async () => {
    assert.equal((await run('Model', { text: 'a' })).output, 'a made 1');
    assert.equal((await run('asks', { text: 'b' })).output, 'b made 1, asked');
  });

  it('a worker that cannot start is reported with its reason, and nothing is deployed', async () => {
    const broken = bench.project('broken', {
      'pyproject.toml': '[project]\nname = "broken"\n',
      'model.py':
        'from toolkit_sdk import Endpoint\n\n@Endpoint(cpu="cpu3c-1-2", workers=(0, 1))\nclass Model:\n' +
        '    def __init__(self):\n        raise ValueError("no weights")\n    def predict(self): ...\n',
    });
    const ran = await bench.toolkit(broken, ['deploy', '--json']);
    assert.equal(ran.code, 1);
    const { error } = ran.json<{ error: { code: string; message: string } }>();
    assert.equal(error.code, 'ROLLOUT_FAILED');
    assert.match(
      error.message,
      /The class Model of model\.py cannot be instantiated: ValueError: no weights/,
    );
  });
});

/** Peak memory of a home's node agent, bytes. */
function peakOf(home: string): number {
  const [agent] = agentsOf(home);
  assert.ok(agent, 'no node agent runs');
  const status = readFileSync(`/proc/${agent}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1000;
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
