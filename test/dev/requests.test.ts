/** Requests to `toolkit dev`: both kinds of endpoints, peers, failures, and refusals. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { workbench } from '../setup/toolkit.ts';
import { DevSession } from './devSession.ts';

const QUEUE = `from toolkit_sdk import Endpoint


@Endpoint(name="counter", cpu="cpu3c-1-2")
def count(text: str, times: int = 1):
    """Count words."""
    print("counting", text)
    if text == "fail":
        raise ValueError("no words")
    return {"words": len(text.split()) * times}


@Endpoint(name="shouter", cpu="cpu3c-1-2")
async def shout(text: str):
    from deep.rest import louder

    return await louder(text)
`;

const ROUTES = `from toolkit_sdk import Endpoint

api = Endpoint(name="rest", cpu="cpu3c-1-2")
quiet = Endpoint(name="quiet", cpu="cpu3c-1-2")


@api.get("/items/{item_id}")
def item(item_id: int, color: str = "red"):
    """One item."""
    return {"id": item_id, "color": color}


@api.post("/louder")
async def louder(text: str):
    return text.upper()


@api.get("/größe/{part}")
def size(part: str):
    return part


@api.get("/both")
def one():
    return 1


@api.get("/fail")
def fail():
    raise KeyError("no such thing")


@quiet.get("/both")
def two():
    return 2
`;

describe('requests to dev', () => {
  const bench = workbench({ after });
  let dev: DevSession;

  before(async () => {
    const project = bench.project('app', {
      'pyproject.toml': '',
      'worker.py': QUEUE,
      'deep/rest.py': ROUTES,
    });
    dev = await DevSession.start(project, bench.home);
  });
  after(() => dev.stop());

  it('lists its paths when it is ready, and provisions nothing before a call', async () => {
    const { routes } = await dev.event('ready');
    assert.deepEqual(routes, [
      { path: '/deep/rest/items/{item_id}', method: 'GET', type: 'load-balanced', description: 'One item.' },
      { path: '/deep/rest/louder', method: 'POST', type: 'load-balanced', description: null },
      { path: '/deep/rest/gr%C3%B6%C3%9Fe/{part}', method: 'GET', type: 'load-balanced', description: null },
      { path: '/deep/rest/api/both', method: 'GET', type: 'load-balanced', description: null },
      { path: '/deep/rest/fail', method: 'GET', type: 'load-balanced', description: null },
      { path: '/deep/rest/quiet/both', method: 'GET', type: 'load-balanced', description: null },
      { path: '/worker/count/runsync', method: 'POST', type: 'queue', description: 'Count words.' },
      { path: '/worker/shout/runsync', method: 'POST', type: 'queue', description: null },
    ]);
    const health = JSON.parse((await dev.request('GET', '/')).text) as { endpoints: { state: string }[] };
    assert.deepEqual(new Set(health.endpoints.map(({ state }) => state)), new Set(['not provisioned']));
  });

  it('runs a queue-based function, and shows what it prints', async () => {
    assert.deepEqual(await dev.run('/worker/count', { text: 'one two' }), { words: 2 });
    assert.deepEqual(await dev.run('/worker/count', { text: 'one two', times: 3 }), { words: 6 });
    const line = await dev.event('log', { is: ({ message }) => message.includes('counting one two') });
    assert.equal(line.endpoint, 'counter');
    const request = await dev.event('request', { is: ({ path }) => path === '/worker/count/runsync' });
    assert.equal(request.status, 200);
    assert.match(request.where ?? '', /^live-counter · /);
  });

  it('responds to a failing function with the failed job and its location', async () => {
    const { status, text } = await dev.request('POST', '/worker/count/runsync', { input: { text: 'fail' } });
    const body = JSON.parse(text) as { status: string; error: string };
    assert.deepEqual([status, body.status], [200, 'FAILED']);
    const reason = JSON.parse(body.error) as { error_message: string; error_traceback: string };
    assert.equal(reason.error_message, 'no words');
    assert.match(reason.error_traceback, /File "worker\.py", line 9, in count/);
  });

  it('responds to a failing route with the traceback of the function', async () => {
    const { status, text } = await dev.request('GET', '/deep/rest/fail');
    const body = JSON.parse(text) as Record<string, string>;
    assert.deepEqual(
      [status, body['code'], body['error']],
      [500, 'FUNCTION_ERROR', "KeyError: 'no such thing'"],
    );
    assert.match(body['traceback']!, /File "deep\/rest\.py", line 30, in fail\n.*raise KeyError/s);
    assert.doesNotMatch(body['traceback']!, /toolkit_sdk|_toolkit/);
  });

  it('runs asynchronous jobs', async () => {
    const made = await dev.request('POST', '/worker/count/run', { input: { text: 'a b c' } });
    const { id } = JSON.parse(made.text) as { id: string };
    for (;;) {
      const status = await dev.request('GET', `/worker/count/status/${id}`);
      const body = JSON.parse(status.text) as { status: string; output?: unknown };
      if (body.status !== 'COMPLETED') continue;
      assert.deepEqual(body.output, { words: 3 });
      return;
    }
  });

  it('serves routes with parameters of path, query and body', async () => {
    const found = await dev.request('GET', '/deep/rest/items/7?color=blue');
    assert.deepEqual([found.status, JSON.parse(found.text)], [200, { id: 7, color: 'blue' }]);
    const wrong = await dev.request('GET', '/deep/rest/items/seven');
    assert.equal(wrong.status, 422);
    const unicode = await dev.request('GET', encodeURI('/deep/rest/größe/höhe'));
    assert.deepEqual([unicode.status, unicode.text], [200, '"höhe"']);
    const louder = await dev.request('POST', '/deep/rest/louder', { text: 'hey' });
    assert.deepEqual([louder.status, louder.text], [200, '"HEY"']);
    assert.equal((await dev.request('DELETE', '/deep/rest/louder')).status, 405);
  });

  it('lets functions call each other within their run', async () => {
    assert.equal(await dev.run('/worker/shout', { text: 'peer' }), 'PEER');
  });

  it('suggests a path near an unknown one, and names both endpoints that share a path', async () => {
    const none = await dev.request('POST', '/worker/cuont/runsync', { input: {} });
    assert.equal(none.status, 404);
    assert.match(none.text, /Did you mean POST \/worker\/count\/runsync\?/);
    const both = await dev.request('GET', '/deep/rest/both');
    assert.equal(both.status, 409);
    const { error, hint } = JSON.parse(both.text) as { error: string; hint: string };
    assert.match(error, /"rest" \(deep\/rest\.py:\d+\) and "quiet" \(deep\/rest\.py:\d+\)/);
    assert.equal(hint, 'Call /deep/rest/api/both or /deep/rest/quiet/both.');
    assert.equal((await dev.request('GET', '/deep/rest/api/both')).text, '1');
    assert.equal((await dev.request('GET', '/deep/rest/quiet/both')).text, '2');
    const method = await dev.request('GET', '/worker/count/runsync');
    assert.equal(method.status, 405);
  });

  it('refuses requests forged through a browser, and bodies that are not JSON', async () => {
    for (const headers of [{ host: 'evil.example' }, { origin: 'https://evil.example' }]) {
      const answer = await dev.request('POST', '/worker/count/runsync', { input: { text: 'x' } }, headers);
      assert.equal(answer.status, 403, JSON.stringify(headers));
    }
    const form = { 'content-type': 'text/plain' };
    const posted = await dev.request('POST', '/worker/count/runsync', { input: { text: 'x' } }, form);
    assert.equal(posted.status, 415);
  });
});
