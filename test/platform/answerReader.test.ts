import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MalformedAnswer } from '../../runtime/platform/gateway/answerHead.ts';
import { AnswerReader } from '../../runtime/platform/gateway/answerReader.ts';

interface Read {
  status: number | null;
  headers: string[];
  body: string;
  isComplete: boolean;
  keepsOpen: boolean;
}

/** What is read of a response that arrives in these chunks, all in one buffer, before the connection ends. */
function read(method: string, chunks: Buffer[]): Read {
  const got: Read = { status: null, headers: [], body: '', isComplete: false, keepsOpen: false };
  const reader = new AnswerReader(method, {
    head: ({ status, headers }) => Object.assign(got, { status, headers }),
    piece: (bytes) => {
      got.body += bytes.toString('latin1');
    },
    end: () => Object.assign(got, { isComplete: true, keepsOpen: reader.keepsOpen }),
  });
  const buffer = Buffer.alloc(Math.max(...chunks.map(({ length }) => length)));
  for (const chunk of chunks) {
    chunk.copy(buffer);
    if (!got.isComplete) reader.read(buffer.subarray(0, chunk.length));
  }
  reader.close();
  return got;
}

/** The bytes at once, one by one, and in two parts split at every position. */
function cuts(bytes: Buffer): Buffer[][] {
  return [
    [bytes],
    Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)),
    ...Array.from(bytes, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]),
  ];
}

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

for (const [title, answer, expected, method = 'GET'] of [
  ['a body with its length', `${OK}Content-Length: 5\r\n\r\nhello`, { body: 'hello' }],
  ['an empty body', `${OK}Content-Length: 0\r\n\r\n`, {}],
  ['a reason of several words', 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n', { status: 404 }],
  ['no reason, with and without a space', 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', {}],
  [
    'repeated headers, and spaces around values',
    `${OK}Set-Cookie:a=1\r\nSet-Cookie: \t b = 2 \t\r\nX-Empty:\r\nContent-Length: 0\r\n\r\n`,
    { headers: ['set-cookie', 'a=1', 'set-cookie', 'b = 2', 'x-empty', '', 'content-length', '0'] },
  ],
  ['chunks', `${CHUNKED}5\r\nhello\r\n1\r\n \r\n0005\r\nworld\r\n0\r\n\r\n`, { body: 'hello world' }],
  [
    'extensions and trailers',
    `${CHUNKED}A;name="v"\r\n0123456789\r\n0\r\nX-End: 1\r\n\r\n`,
    { body: '0123456789' },
  ],
  ['CR LF within a chunk', `${CHUNKED}4\r\n\r\n\r\n\r\n0\r\n\r\n`, { body: '\r\n\r\n' }],
  ['a body up to the end of the connection', `${OK}\r\nhello`, { body: 'hello', keepsOpen: false }],
  [
    'an HTTP/1.0 response',
    'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi',
    { body: 'hi', keepsOpen: false },
  ],
  [
    'a worker that closes the connection',
    `${OK}Connection: x, Close\r\nContent-Length: 2\r\n\r\nhi`,
    { body: 'hi', keepsOpen: false },
  ],
  [
    'interim responses',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${OK}Content-Length: 2\r\n\r\nhi`,
    { body: 'hi' },
  ],
  ['only the head for HEAD', `${OK}Content-Length: 5\r\n\r\n`, {}, 'HEAD'],
  ['only the head of a chunked response for HEAD', CHUNKED, {}, 'HEAD'],
  ['only the head of 204', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204 }],
  ['only the head of 304', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n', { status: 304 }],
] as [string, string, Partial<Read>, string?][]) {
  test(`reads ${title}`, () => {
    for (const chunks of cuts(Buffer.from(answer, 'latin1'))) {
      const { headers, ...got } = read(method, chunks);
      const { headers: expectedHeaders, ...more } = expected;
      assert.deepEqual(got, { status: 200, body: '', isComplete: true, keepsOpen: true, ...more });
      if (expectedHeaders) assert.deepEqual(headers, expectedHeaders);
    }
  });
}

for (const [title, answer] of [
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
  ['HTTP/2', 'HTTP/2 200 OK\r\n\r\n'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['an empty line before the status line', `\r\n${OK}Content-Length: 0\r\n\r\n`],
  ['lines that end with only LF', 'HTTP/1.1 200 OK\nContent-Length: 0\n\r\n\r\n'],
  ['a CR within a value', `${OK}X-A: a\rb\r\nContent-Length: 0\r\n\r\n`],
  ['a NUL within a value', `${OK}X-A: a\0b\r\nContent-Length: 0\r\n\r\n`],
  ['a folded header', `${OK}X-A: a\r\n b\r\nContent-Length: 0\r\n\r\n`],
  ['a space before the colon', `${OK}Content-Length : 0\r\n\r\n`],
  ['a header without a name', `${OK}: a\r\nContent-Length: 0\r\n\r\n`],
  ['a length and chunks', `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['chunks and a length', `${OK}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`],
  ['two lengths', `${OK}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`],
  ['a list of lengths', `${OK}Content-Length: 5, 5\r\n\r\nhello`],
  ['a negative length', `${OK}Content-Length: -1\r\n\r\n`],
  ['a length with a sign', `${OK}Content-Length: +5\r\n\r\nhello`],
  ['an unknown transfer coding', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  [
    'a repeated transfer coding',
    `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['an upgrade that was not requested', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
  ['headers without an end', `${OK}X-A: ${'a'.repeat(20_000)}`],
  ['a chunk whose size is not a number', `${CHUNKED}x\r\n\r\n`],
  ['a chunk whose size has a sign', `${CHUNKED}+5\r\nhello\r\n0\r\n\r\n`],
  ['a chunk whose size has a prefix', `${CHUNKED}0x5\r\nhello\r\n0\r\n\r\n`],
  ['a chunk whose size is out of range', `${CHUNKED}fffffffff\r\n`],
  ['a chunk size that ends with only LF', `${CHUNKED}5\nhello\r\n0\r\n\r\n`],
  ['a CR within an extension', `${CHUNKED}5;a\rb\r\nhello\r\n0\r\n\r\n`],
  ['a chunk that is longer than its size', `${CHUNKED}4\r\nhello\r\n0\r\n\r\n`],
  ['trailers without an end', `${CHUNKED}0\r\n${'X-A: a\r\n'.repeat(3_000)}`],
] as const) {
  test(`refuses ${title}`, () => {
    const bytes = Buffer.from(answer, 'latin1');
    for (const chunks of bytes.length < 1000 ? cuts(bytes) : [[bytes]])
      assert.throws(() => read('GET', chunks), MalformedAnswer);
  });
}

for (const [title, answer] of [
  ['only a head', `${OK}Content-Length: 5\r\n`],
  ['part of a body', `${OK}Content-Length: 5\r\n\r\nhell`],
  ['part of a chunk', `${CHUNKED}5\r\nhell`],
  ['chunks without the last one', `${CHUNKED}5\r\nhello\r\n`],
  ['an unfinished last chunk', `${CHUNKED}5\r\nhello\r\n0\r\n`],
] as const) {
  test(`never takes an incomplete response for a complete one: ${title}`, () => {
    for (const chunks of cuts(Buffer.from(answer))) assert.equal(read('GET', chunks).isComplete, false);
  });
}

for (const [title, answer, method] of [
  ['another response', `${OK}Content-Length: 2\r\n\r\nhi${OK}Content-Length: 0\r\n\r\n`, 'GET'],
  ['a body after a response to HEAD', `${OK}Content-Length: 2\r\n\r\nhi`, 'HEAD'],
  ['bytes after the last chunk', `${CHUNKED}0\r\n\r\n\r\n`, 'GET'],
] as const) {
  test(`does not keep a connection with ${title} open`, () => {
    assert.deepEqual(
      [read(method, [Buffer.from(answer)])].map(({ isComplete, keepsOpen }) => [isComplete, keepsOpen]),
      [[true, false]],
    );
  });
}

test('refuses headers of more than 16 kB and says so, whether the head is complete or not', () => {
  const head = `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(17_000)}`;
  const refusal = { name: 'MalformedAnswer', message: 'Its headers have more than 16 kB.' };
  for (const text of [head, `${head}\r\n\r\n`])
    assert.throws(() => read('GET', [Buffer.from(text)]), refusal);
});
