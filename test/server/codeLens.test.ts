/** Code lenses from the real server: which lens is above which line, and what it starts. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CodeLens } from 'vscode-languageserver';
import { EDITOR_COMMANDS, EDITOR_MESSAGES, type LensTarget } from '../../runtime/contract/editorMessages.ts';
import { type AtCursor, atCursor } from './atCursor.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const QUEUE = `=== gpu.py
from toolkit_sdk import Endpoint
‸
@Endpoint(
    name="gpu_worker",
)
def draw(text: str): ...
`;
const ROUTES = `=== lb.py
from toolkit_sdk import Endpoint
api = Endpoint(name="text-api", cpu="cpu5c-4-8")‸

@api.get("/health")
def health(): ...

@api.post("/users/{id}")
def put_user(id: str): ...
`;
const RUNNING = {
  environment: 'production',
  endpoints: {
    'text-api': { id: 'x', url: 'http://127.0.0.1:9000', build: 7 },
    gpu_worker: { id: 'g', url: 'http://127.0.0.1:8890/v2/g', build: 8 },
  },
  dev: 'http://localhost:8888',
};

/** Line (from 1) → the lenses above it, with the name of their command in brackets. */
type Shown = Record<number, string[]>;

const CASES: [title: string, fixture: string, running: typeof RUNNING | null, shown: Shown][] = [
  [
    'is above the decorator of a queue-based function',
    QUEUE,
    null,
    {
      3: [
        '▶ Run (run)',
        'Deploy (deploy)',
        'Logs (logs)',
        'Copy as curl (copyAsCurl)',
        'on gpu_worker · GPU ANY',
      ],
    },
  ],
  [
    'shows where a queue-based function runs, once the editor has reported it',
    QUEUE,
    RUNNING,
    {
      3: [
        '▶ Run (run)',
        'Deploy (deploy)',
        'Logs (logs)',
        'http://localhost:8888/gpu/runsync (openUrl)',
        'http://127.0.0.1:8890/v2/g/runsync (openUrl)',
        'Copy as curl (copyAsCurl)',
        'on live-gpu_worker · GPU ANY · build 8 in production',
      ],
    },
  ],
  [
    'is above an instance and above each of its routes',
    ROUTES,
    null,
    {
      2: ['Deploy (deploy)', 'Logs (logs)', 'on text-api · cpu5c-4-8 · 2 routes'],
      4: ['▶ Run (run)', 'Copy as curl (copyAsCurl)'],
      7: ['▶ Run (run)', 'Copy as curl (copyAsCurl)'],
    },
  ],
  [
    'opens routes in dev and deployed',
    ROUTES.replace(/\n@api\.post[^]*/, ''),
    RUNNING,
    {
      2: ['Deploy (deploy)', 'Logs (logs)', 'on live-text-api · cpu5c-4-8 · 1 route · build 7 in production'],
      4: [
        '▶ Run (run)',
        'http://localhost:8888/lb/health (openUrl)',
        'http://127.0.0.1:9000/health (openUrl)',
        'Copy as curl (copyAsCurl)',
      ],
    },
  ],
  [
    'is above routes in another file than their instance',
    `${ROUTES.replace('‸', '')}=== more.py
from lb import api
@api.get("/more")
def more(): ...‸
`,
    null,
    { 2: ['▶ Run (run)', 'Copy as curl (copyAsCurl)'] },
  ],
  [
    'is above an endpoint of pyproject.toml',
    `=== pyproject.toml
‸
[[tool.toolkit.endpoints]]
name = "any"
command = ["./server"]
`,
    null,
    { 2: ['▶ Run (run)', 'Deploy (deploy)', 'Logs (logs)', 'Copy as curl (copyAsCurl)', 'on any · GPU ANY'] },
  ],
  [
    'is above a declaration whose name is known only at run time, too',
    `=== a.py
from toolkit_sdk import Endpoint
import os
@Endpoint(name=os.name)‸
def one(): ...
`,
    RUNNING,
    {
      3: [
        '▶ Run (run)',
        'Deploy (deploy)',
        'Logs (logs)',
        'http://localhost:8888/a/runsync (openUrl)',
        'Copy as curl (copyAsCurl)',
        'endpoint with a dynamic name · GPU ANY',
      ],
    },
  ],
];

describe('code lenses', () => {
  let client: LanguageClient;
  before(async () => {
    client = await LanguageClient.start({
      folders: [],
      options: { commands: Object.values(EDITOR_COMMANDS) },
    });
  });
  after(() => client.stop());

  for (const [title, fixture, running, shown] of CASES) {
    it(title, () =>
      atCursor(client, fixture, async (place) => {
        await setRunning(client, place, running);
        assert.deepEqual(await shownIn(client, place), shown);
        await setRunning(client, place, null);
      }),
    );
  }

  it('gives each command one argument: node, document, route, address and sample input', () =>
    atCursor(client, ROUTES, async (place) => {
      await setRunning(client, place, RUNNING);
      const lenses = (await resolved(client, place)).filter(({ range }) => range.start.line === 6);
      const target: LensTarget = {
        root: uriOf(place.root),
        node: 'lb.py#text-api/POST /users/{id}',
        uri: place.uri,
        endpoint: 'text-api',
        route: { method: 'POST', path: '/users/{id}' },
        url: 'http://localhost:8888/lb/users/{id}',
        input: { id: 'text' },
      };
      assert.deepEqual(
        lenses.map(({ command }) => command?.arguments),
        [[target], [target], [{ ...target, url: 'http://127.0.0.1:9000/users/{id}' }], [target]],
      );
      await setRunning(client, place, null);
    }));

  it('resolves titles and commands only when a lens is shown', () =>
    atCursor(client, ROUTES, async ({ uri }) => {
      const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
      assert.ok(lenses.length > 0);
      for (const lens of lenses) assert.ok(lens.command === undefined && lens.data !== undefined);
    }));

  it('handles a lens whose endpoint no longer exists', () =>
    atCursor(client, QUEUE, async ({ uri }) => {
      const [, , , , lens] = await client.request<CodeLens[]>('textDocument/codeLens', {
        textDocument: { uri },
      });
      await client.change(uri, { text: '' });
      const { command } = await client.request<CodeLens>('codeLens/resolve', lens);
      assert.deepEqual(command, { title: 'This endpoint no longer exists', command: '' });
    }));
});

describe("code lenses of a client without the toolkit's commands", () => {
  let client: LanguageClient;
  before(async () => {
    client = await LanguageClient.start({ folders: [] });
  });
  after(() => client.stop());

  it('show where an endpoint runs, and start nothing', () =>
    atCursor(client, ROUTES, async (place) => {
      assert.deepEqual(await shownIn(client, place), { 2: ['on text-api · cpu5c-4-8 · 2 routes'] });
    }));
});

async function setRunning(
  client: LanguageClient,
  { root }: AtCursor,
  running: typeof RUNNING | null,
): Promise<void> {
  const projects = running ? [{ root: uriOf(root), ...running }] : [];
  await client.notify(EDITOR_MESSAGES.deployed, { projects });
}

async function resolved(client: LanguageClient, { uri }: AtCursor): Promise<CodeLens[]> {
  const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
  return Promise.all(lenses.map((lens) => client.request<CodeLens>('codeLens/resolve', lens)));
}

async function shownIn(client: LanguageClient, place: AtCursor): Promise<Shown> {
  const shown: Shown = {};
  for (const { range, command } of await resolved(client, place)) {
    const starts = command!.command === '' ? '' : ` (${command!.command.replace('toolkit.', '')})`;
    (shown[range.start.line + 1] ??= []).push(`${command!.title}${starts}`);
  }
  return shown;
}
