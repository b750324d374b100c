/**
 * What `toolkit dev` passes through as it arrives: streams, server-sent events, WebSockets; and endpoints of
 * pyproject.toml.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { until } from '../platform/harness.ts';
import { workbench } from '../setup/toolkit.ts';
import { DevSession } from './devSession.ts';

const PYPROJECT = `[[tool.toolkit.endpoints]]
name = "web"
command = ["python3", "commands/web.py"]
kind = "load-balanced"
cpu = "cpu3c-1-2"

[[tool.toolkit.endpoints]]
name = "taker"
command = ["python3", "commands/taker.py"]
cpu = "cpu3c-1-2"

[[tool.toolkit.endpoints]]
name = "both"
command = ["python3", "commands/web.py"]
kind = "load-balanced"
cpu = "cpu3c-1-2"
`;

/**
 * Responds with the request it got, and echoes the frames of a WebSocket. On `/held` and `/open`, it writes into a file when
 * its client has left; on `/held`, it does not even accept the WebSocket.
 */
const WEB = `
import base64, hashlib, http.server, json, os

class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        if self.path.startswith(("/held?", "/open?")):
            return self.hold(*self.path.split("?"))
        if self.headers.get("Upgrade", "").lower() == "websocket":
            return self.echo()
        length = int(self.headers.get("Content-Length") or 0)
        body = {"method": self.command, "path": self.path, "body": self.rfile.read(length).decode()}
        text = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def gone(self):
        try:
            self.rfile.read(1)
        except ConnectionError:
            pass

    def hold(self, path, file):
        if path == "/open":
            self.accept()
        with open(file, "w") as states:
            print("held", file=states, flush=True)
            self.gone()
            print("left", file=states, flush=True)
        self.close_connection = True

    def accept(self):
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()

    def echo(self):
        self.accept()
        while True:
            first, length = self.rfile.read(2)
            length &= 127
            mask = self.rfile.read(4)
            data = bytes(byte ^ mask[at % 4] for at, byte in enumerate(self.rfile.read(length)))
            self.wfile.write(bytes([first, length]) + data)
            if first & 15 == 8:
                self.close_connection = True
                return

    do_GET = do_POST = do_DELETE = answer

    def log_message(self, *_):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Answer).serve_forever()
`;

/** A worker script that knows only the protocol's variables. */
const TAKER = `
import json, os, urllib.request

def call(url, body=None):
    request = urllib.request.Request(url, data=body, headers={"Authorization": os.environ["RUNPOD_AI_API_KEY"]})
    with urllib.request.urlopen(request, timeout=100) as answer:
        text = answer.read()
        return json.loads(text) if text else None

worker = os.environ["RUNPOD_POD_ID"]
while True:
    job = call(os.environ["RUNPOD_WEBHOOK_GET_JOB"].replace("$ID", worker) + "&job_in_progress=0")
    if job is None:
        continue
    done = os.environ["RUNPOD_WEBHOOK_POST_OUTPUT"].replace("$RUNPOD_POD_ID", worker).replace("$ID", job["id"])
    call(done + "&isStream=false", json.dumps({"output": {"echo": job["input"]}}).encode())
`;

const STREAMS = `from toolkit_sdk import Endpoint

api = Endpoint(name="api", cpu="cpu3c-1-2")
GATE = []


@api.get("/events")
async def events():
    import asyncio

    from starlette.responses import StreamingResponse

    async def lines():
        GATE.clear()
        yield "data: first\\n\\n"
        while not GATE:
            await asyncio.sleep(0.01)
        yield "data: second\\n\\n"

    return StreamingResponse(lines(), media_type="text/event-stream")


@api.post("/go")
async def go():
    GATE.append(1)


@api.post("/size")
async def size(text: str):
    return {"text": text}


@Endpoint(name="counter", cpu="cpu3c-1-2")
def counter(to: int):
    yield from range(to)
`;

/** Reports its progress, and ends when something is written into the pipe that it reads. */
const TRAINING = `from toolkit_sdk import Endpoint, progress


@Endpoint(name="training", cpu="cpu3c-1-2")
def training(pipe: str):
    progress({"done": 1, "of": 2})
    open(pipe).read()
    return "trained"
`;

/** Sends a whole request before it reads the start of the response. */
async function exchange(dev: DevSession, line: string, body: string, more: string[] = []): Promise<string> {
  const { host, hostname, port } = new URL(dev.url);
  const socket = connect(Number(port), hostname).setTimeout(20_000, () => socket.destroy());
  const headers = [
    `Host: ${host}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...more,
  ];
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(`${[line, ...headers].join('\r\n')}\r\n\r\n${body}`, () => resolve());
  });
  let answer = '';
  for await (const chunk of socket) {
    answer += String(chunk);
    if (answer.trimEnd().endsWith('}') || answer.endsWith('\r\n0\r\n\r\n')) break;
  }
  return answer;
}

/** Sends the request of a WebSocket over a new connection. */
function openWebSocket(dev: DevSession, target: string): Socket {
  const { host, hostname, port } = new URL(dev.url);
  const headers = [
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
  ];
  const socket = connect(Number(port), hostname).setTimeout(20_000, () => socket.destroy());
  socket.write(`${[`GET ${target} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`);
  return socket;
}

async function endsWith(file: string, text: string): Promise<boolean> {
  return (await readFile(file, 'utf8').catch(() => '')).endsWith(text);
}

describe('what dev passes through', () => {
  const bench = workbench({ after });
  let dev: DevSession;

  before(async () => {
    const project = bench.project('app', {
      'pyproject.toml': PYPROJECT,
      'commands/web.py': WEB,
      'commands/taker.py': TAKER,
      'streams.py': STREAMS,
      'training.py': TRAINING,
      'both.py':
        'from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="of_file", cpu="cpu3c-1-2")\ndef run():\n    return 1\n',
    });
    dev = await DevSession.start(project, bench.home);
  });
  after(() => dev.stop());

  it('lists the endpoints of pyproject.toml by name', async () => {
    const { routes } = await dev.event('ready');
    assert.deepEqual(
      routes.map(({ method, path }) => `${method} ${path}`).filter((one) => /web|taker/.test(one)),
      ['ANY /web/{path:path}', 'POST /taker/runsync'],
    );
  });

  it('serves a command that takes jobs, and one that serves HTTP itself with any method', async () => {
    assert.deepEqual(await dev.run('/taker', { a: 1 }), { echo: { a: 1 } });
    const got = await dev.request('GET', '/web/deep/er?x=1&y=%20');
    assert.deepEqual(JSON.parse(got.text), { method: 'GET', path: '/deep/er?x=1&y=%20', body: '' });
    const posted = await dev.request('POST', '/web/', { b: 2 });
    assert.deepEqual(JSON.parse(posted.text), { method: 'POST', path: '/', body: '{"b":2}' });
    assert.equal(
      (JSON.parse((await dev.request('DELETE', '/web/x')).text) as { method: string }).method,
      'DELETE',
    );
  });

  it('serves neither a command nor a file of the same name, and names both', async () => {
    const answer = await dev.request('POST', '/both/runsync', { input: {} });
    assert.equal(answer.status, 409);
    assert.match(answer.text, /"of_file\\" \(both\.py:5\) and \\"both\\" \(pyproject\.toml:12\)/);
  });

  it('passes a WebSocket through in both directions, and refuses one of another site', async () => {
    const url = new URL('/web/socket', dev.url);
    url.protocol = 'ws:';
    const socket = new WebSocket(url);
    await once(socket, 'open');
    for (const text of ['hello', 'wörld']) {
      const received = once(socket, 'message') as Promise<[MessageEvent]>;
      socket.send(text);
      assert.equal((await received)[0].data, text);
    }
    const closed = once(socket, 'close');
    socket.close();
    await closed;
    await dev.event('request', { is: ({ path, status }) => path === '/web/socket' && status === 101 });

    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', origin: 'https://evil.example' };
    assert.equal((await dev.request('GET', '/web/socket', undefined, upgrade)).status, 403);
    const { origin: _origin, ...plain } = upgrade;
    assert.equal((await dev.request('GET', '/nowhere', undefined, plain)).status, 404);
    // Routes of Python functions decline an upgrade: their worker responds as if there were none.
    const declined = await dev.request('GET', '/streams/go', undefined, plain);
    assert.deepEqual([declined.status, declined.headers['allow']], [405, 'POST']);
  });

  it('ends the request for a WebSocket whose client leaves before it is accepted', async () => {
    const file = path.join(bench.folder, 'held');
    const socket = openWebSocket(dev, `/web/held?${file}`);
    await until('the worker has the request', () => endsWith(file, 'held\n'));
    socket.end();
    await once(socket.resume(), 'close');
    await until('the worker notices that the client has left', () => endsWith(file, 'left\n'));
    await dev.event('request', { is: ({ path: of, status }) => of === '/web/held' && status === 499 });
  });

  it('ends a WebSocket whose client resets its connection', async () => {
    const file = path.join(bench.folder, 'open');
    const socket = openWebSocket(dev, `/web/open?${file}`);
    await once(socket, 'data');
    socket.resetAndDestroy();
    await until('the worker notices that the client has left', () => endsWith(file, 'left\n'));
  });

  it('passes on what the client of a WebSocket sends before it is accepted', async () => {
    const socket = openWebSocket(dev, '/web/socket');
    // A masked text frame, whose mask is 0, and an empty close frame.
    for (const frame of [
      [0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69],
      [0x88, 0x80, 0, 0, 0, 0],
    ])
      socket.write(Buffer.from(frame));
    let got = '';
    for await (const chunk of socket.setEncoding('latin1')) got += chunk as string;
    assert.ok(got.endsWith('\r\n\r\n\x81\x02hi\x88\x00'), got);
  });

  it('passes on each event of a stream when it arrives', async () => {
    const sent = request(new URL('/streams/events', dev.url)).end();
    const [answer] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { headers: object }];
    assert.match(JSON.stringify(answer.headers), /text\/event-stream/);
    const seen: string[] = [];
    for await (const chunk of answer) {
      seen.push(String(chunk));
      // The second event exists only after the first one has arrived.
      if (seen.length === 1) assert.equal((await dev.request('POST', '/streams/go', {})).status, 200);
    }
    assert.equal(seen.join(''), 'data: first\n\ndata: second\n\n');
  });

  it('returns what a generator yields, and what it has yielded so far', async () => {
    assert.deepEqual(await dev.run('/streams', { to: 3 }), [0, 1, 2]);
    const { text } = await dev.request('POST', '/streams/run', { input: { to: 4 } });
    const { id } = JSON.parse(text) as { id: string };
    const outputs: unknown[] = [];
    for (let status = ''; status !== 'COMPLETED'; ) {
      const read = await dev.request('GET', `/streams/stream/${id}`);
      const body = JSON.parse(read.text) as { status: string; stream: { output: unknown }[] };
      outputs.push(...body.stream.map(({ output }) => output));
      status = body.status;
    }
    assert.deepEqual(outputs, [0, 1, 2, 3]);
  });

  it('shows the progress that a running job reports', async () => {
    const pipe = path.join(bench.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const { text } = await dev.request('POST', '/training/run', { input: { pipe } });
    const { id } = JSON.parse(text) as { id: string };
    const body = async () =>
      JSON.parse((await dev.request('GET', `/training/status/${id}`)).text) as Record<string, unknown>;
    await until('progress', async () => (await body())['output'] !== undefined);
    const running = await body();
    assert.deepEqual([running['status'], running['output']], ['IN_PROGRESS', { done: 1, of: 2 }]);
    await writeFile(pipe, '');
    await until('the end', async () => (await body())['status'] === 'COMPLETED');
    assert.equal((await body())['output'], 'trained');
  });

  it('transfers 25 MB in each direction', async () => {
    const text = 'x'.repeat(25_000_000);
    const answer = await dev.request('POST', '/streams/size', { text });
    assert.equal(answer.status, 200);
    assert.ok(answer.text === JSON.stringify({ text }), 'the same bytes return');
  });

  it('responds to a client that sends the whole of a body that is too large', async () => {
    for (const [target, body] of [
      ['/streams/size', { text: 'x'.repeat(31_000_000) }],
      ['/streams/runsync', { input: { to: 'x'.repeat(21_000_000) } }],
    ] as const) {
      for (const more of [[], ['Connection: close']]) {
        const answer = await exchange(dev, `POST ${target} HTTP/1.1`, JSON.stringify(body), more);
        assert.match(answer, /^HTTP\/1\.1 413 [^]*PAYLOAD_TOO_LARGE/);
      }
    }
  });

  it('serves a request that offers HTTP/2, like those of Java, or that has a body, over HTTP/1.1', async () => {
    const offer = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAAA'];
    const posted = await exchange(dev, 'POST /streams/size HTTP/1.1', '{"text":"hi"}', offer);
    assert.match(posted, /^HTTP\/1\.1 200 [^]*\{"text":"hi"\}$/);
    const other = ['Connection: Upgrade', 'Upgrade: websocket'];
    const again = await exchange(dev, 'POST /streams/size HTTP/1.1', '{"text":"hi"}', other);
    assert.match(again, /^HTTP\/1\.1 200 [^]*\{"text":"hi"\}$/);
    assert.match(await exchange(dev, 'GET / HTTP/1.1', '', offer), /^HTTP\/1\.1 200 [^]*"status":"ok"/);
  });
});
