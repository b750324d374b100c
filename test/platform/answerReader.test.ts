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

/** What is read of an answer that comes in these chunks, each in the same buffer, after which the connection ends. */
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

/** The bytes at once, one by one, and in two parts, cut at every place. */
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
  ['a reason of more words', 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n', { status: 404 }],
  ['no reason, with and without its space', 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', {}],
  [
    'headers of one name, and spaces around values',
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
    'an answer of HTTP/1.0',
    'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi',
    { body: 'hi', keepsOpen: false },
  ],
  [
    'a worker that closes',
    `${OK}Connection: x, Close\r\nContent-Length: 2\r\n\r\nhi`,
    { body: 'hi', keepsOpen: false },
  ],
  [
    'interim answers',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${OK}Content-Length: 2\r\n\r\nhi`,
    { body: 'hi' },
  ],
  ['the head alone for HEAD', `${OK}Content-Length: 5\r\n\r\n`, {}, 'HEAD'],
  ['the head alone of chunks for HEAD', CHUNKED, {}, 'HEAD'],
  ['the head alone of 204', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204 }],
  ['the head alone of 304', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n', { status: 304 }],
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
  ['lines that end with LF alone', 'HTTP/1.1 200 OK\nContent-Length: 0\n\r\n\r\n'],
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
  ['a transfer coding that is unknown', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  [
    'a transfer coding that is given twice',
    `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['an upgrade that was not asked for', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
  ['headers without an end', `${OK}X-A: ${'a'.repeat(20_000)}`],
  ['a chunk whose size is not a number', `${CHUNKED}x\r\n\r\n`],
  ['a chunk whose size has a sign', `${CHUNKED}+5\r\nhello\r\n0\r\n\r\n`],
  ['a chunk whose size has a prefix', `${CHUNKED}0x5\r\nhello\r\n0\r\n\r\n`],
  ['a chunk whose size is out of range', `${CHUNKED}fffffffff\r\n`],
  ['a chunk whose size ends with LF alone', `${CHUNKED}5\nhello\r\n0\r\n\r\n`],
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
  ['a head', `${OK}Content-Length: 5\r\n`],
  ['a body', `${OK}Content-Length: 5\r\n\r\nhell`],
  ['a chunk', `${CHUNKED}5\r\nhell`],
  ['chunks without the last one', `${CHUNKED}5\r\nhello\r\n`],
  ['the last chunk', `${CHUNKED}5\r\nhello\r\n0\r\n`],
] as const) {
  test(`never takes ${title} that is cut for a complete answer`, () => {
    for (const chunks of cuts(Buffer.from(answer))) assert.equal(read('GET', chunks).isComplete, false);
  });
}

for (const [title, answer, method] of [
  ['another answer', `${OK}Content-Length: 2\r\n\r\nhi${OK}Content-Length: 0\r\n\r\n`, 'GET'],
  ['a body after an answer to HEAD', `${OK}Content-Length: 2\r\n\r\nhi`, 'HEAD'],
  ['bytes after the last chunk', `${CHUNKED}0\r\n\r\n\r\n`, 'GET'],
] as const) {
  test(`does not keep a connection with ${title}`, () => {
    assert.deepEqual(
      [read(method, [Buffer.from(answer)])].map(({ isComplete, keepsOpen }) => [isComplete, keepsOpen]),
      [[true, false]],
    );
  });
}
