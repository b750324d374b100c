/** The whole way: a tutorial project from `init` to successful requests, on the embedded platform. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { DeployDocument } from '../runtime/contract/cliDocuments.ts';
import type { PendingJobBody, TerminalJobBody } from '../runtime/contract/job.ts';
import { workbench } from './setup/toolkit.ts';

const exec = promisify(execFile);

describe('from source to a successful request', () => {
  const bench = workbench({ after });
  let key = '';
  let tutorial: DeployDocument;
  let demo: DeployDocument;

  before(async () => {
    for (const [name, template] of [
      ['tutorial', 'tutorial'],
      ['demo', 'default'],
    ] as const) {
      assert.equal((await bench.toolkit(bench.folder, ['init', name, '--template', template])).code, 0);
      const deployed = await bench.toolkit(`${bench.folder}/${name}`, ['deploy', '--json']);
      assert.equal(deployed.code, 0, deployed.stderr + deployed.stdout);
      if (name === 'tutorial') tutorial = deployed.json();
      else demo = deployed.json();
    }
    key = (await bench.toolkit(bench.folder, ['platform', 'key'])).stdout.trim();
  });

  const urlOf = (deployed: DeployDocument, name: string): string =>
    [...deployed.loadBalanced, ...deployed.queueBased].find((endpoint) => endpoint.name === name)!.url;

  /** Plain curl, as users type it. */
  async function curl(
    method: string,
    url: string,
    data?: unknown,
    authorization = `Bearer ${key}`,
  ): Promise<{ status: number; body: unknown }> {
    const args = ['-sS', '-X', method, url, '-w', '\n%{http_code}', '-H', 'Content-Type: application/json'];
    if (authorization) args.push('-H', `Authorization: ${authorization}`);
    if (data !== undefined) args.push('-d', JSON.stringify(data));
    const { stdout } = await exec('curl', args);
    const cut = stdout.lastIndexOf('\n');
    return { status: Number(stdout.slice(cut + 1)), body: JSON.parse(stdout.slice(0, cut)) };
  }

  it('serves the tutorial routes as specified', async () => {
    const api = urlOf(tutorial, 'text-api');
    const health = await curl('GET', `${api}/health`);
    assert.deepEqual(health, {
      status: 200,
      body: { status: 'healthy', service: 'text-api', version: '1.0.0' },
    });
    const info = (await curl('GET', `${api}/info`)).body as {
      name: string;
      version: string;
      endpoints: object[];
    };
    assert.deepEqual(Object.keys(info), ['name', 'version', 'endpoints']);
    for (const endpoint of info.endpoints)
      assert.deepEqual(Object.keys(endpoint), ['method', 'path', 'description']);
    const text = 'It works. Does it? Yes!';
    assert.deepEqual(await curl('POST', `${api}/analyze`, { text }), {
      status: 200,
      body: {
        text,
        statistics: { word_count: 5, character_count: 23, average_word_length: 3.8, sentence_count: 3 },
      },
    });
    assert.deepEqual(
      await curl('POST', `${urlOf(tutorial, 'sentiment-api')}/sentiment`, { text: 'I love this' }),
      {
        status: 200,
        body: { text: 'I love this', sentiment: { label: 'positive', score: 0.6369 }, device: 'CPU' },
      },
    );
    assert.deepEqual(await curl('POST', `${api}/report`, { text: 'I love this' }), {
      status: 200,
      body: {
        text: 'I love this',
        statistics: { word_count: 3, character_count: 11, average_word_length: 3, sentence_count: 0 },
        sentiment: { label: 'positive', score: 0.6369 },
        device: 'CPU',
      },
    });
  });

  it('responds to plain curl on runsync, run and status, and on a load-balanced route', async () => {
    const queue = urlOf(demo, 'cpu_worker');
    const sync = await curl('POST', `${queue}/runsync`, { input: { numbers: [1, 2, 6] } });
    assert.equal(sync.status, 200);
    const done = sync.body as TerminalJobBody;
    assert.match(done.id, /^sync-[0-9a-f-]{36}-u1$/);
    assert.equal(done.status, 'COMPLETED');
    assert.deepEqual(done.output, { count: 3, sum: 9, mean: 3 });
    assert.ok(Number.isInteger(done.delayTime) && Number.isInteger(done.executionTime));

    const queued = (await curl('POST', `${queue}/run`, { input: { numbers: [] } })).body as PendingJobBody;
    assert.match(queued.id, /^[0-9a-f-]{36}-u1$/);
    assert.equal(queued.status, 'IN_QUEUE');
    let status = queued as TerminalJobBody;
    for (let polls = 0; polls < 200 && !['COMPLETED', 'FAILED'].includes(status.status); polls += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      status = (await curl('GET', `${queue}/status/${queued.id}`)).body as TerminalJobBody;
    }
    assert.deepEqual(status.output, { count: 0, sum: 0, mean: null });

    const lb = await curl('POST', `${urlOf(demo, 'lb_worker')}/process`, { data: { b: 1, a: 2 } });
    assert.deepEqual(lb, { status: 200, body: { status: 'success', keys: ['a', 'b'], count: 2 } });
  });

  it('returns 401 without the key or with a wrong one, and 404 for a wrong id', async () => {
    const queue = urlOf(demo, 'cpu_worker');
    const routes: [string, string][] = [
      ['POST', `${queue}/runsync`],
      ['GET', `${queue}/health`],
      ['GET', `${urlOf(demo, 'lb_worker')}/health`],
    ];
    for (const [method, url] of routes) {
      assert.equal(
        (await curl(method, url, method === 'POST' ? { input: {} } : undefined, '')).status,
        401,
        url,
      );
      assert.equal(
        (await curl(method, url, method === 'POST' ? { input: {} } : undefined, 'Bearer wrong')).status,
        401,
        url,
      );
    }
    const base = new URL(queue).origin;
    assert.equal((await curl('POST', `${base}/v2/nothing-here/runsync`, { input: {} })).status, 404);
    assert.equal((await curl('GET', `${queue}/status/no-such-job`)).status, 404);
    // The key without Bearer is accepted too.
    assert.equal((await curl('GET', `${queue}/health`, undefined, key)).status, 200);
  });

  it('follows the four rules of /analyze for 1,000 random texts', async () => {
    const api = urlOf(tutorial, 'text-api');
    for (const text of randomTexts(1000)) {
      const response = await fetch(`${api}/analyze`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ text }),
      });
      assert.deepEqual(await response.json(), { text, statistics: oracle(text) }, JSON.stringify(text));
    }
  });
});

/** Seeded texts: empty, only punctuation, and mixtures of scripts, emoji, white space and marks. */
function randomTexts(number: number): string[] {
  let seed = 20_240_817;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const alphabet = [
    ...'abc déßØ 漢字かな한글 ثعلب 😀👩‍🚀 \t\n\u00a0\u2003\u3000 ...!!??,;:-"\'',
    '\u0301',
    '\u200b',
    '\u001c',
  ];
  const texts = ['', ' ', '...', '?!.', ' \n\t '];
  while (texts.length < number) {
    texts.push(Array.from({ length: random(60) }, () => alphabet[random(alphabet.length)]).join(''));
  }
  return texts;
}

/** The specification's rules in TypeScript: Python's white space, code points, its rounding of means. */
function oracle(text: string): Record<string, number> {
  // The characters at which Python's str.split() separates, from the Unicode tables (bidirectional WS, B, S,
  // or category Zs).
  const space = /[\t-\r\u001c-\u001f \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u;
  const words = text.split(space).filter((word) => word !== '');
  const letters = words.reduce((sum, word) => sum + [...word].length, 0);
  return {
    word_count: words.length,
    character_count: [...text].length,
    average_word_length: words.length === 0 ? 0 : roundHalfEven(letters / words.length),
    sentence_count: [...text].filter(
      (character) => character === '.' || character === '!' || character === '?',
    ).length,
  };
}

/** Python's round(x, 2): correctly rounded from the exact binary value, which toFixed also starts from. */
function roundHalfEven(value: number): number {
  const scaled = value * 8;
  // Only multiples of 1/8 are exactly between two hundredths; Python rounds those to even.
  if (Number.isInteger(scaled) && !Number.isInteger(value * 4)) {
    const down = Math.floor(value * 100);
    return (down % 2 === 0 ? down : down + 1) / 100;
  }
  return Number(value.toFixed(2));
}
