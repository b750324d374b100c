/**
 * The endpoint tree over stdio: complete, in order, sent once for each real change and never for a mere move.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  EDITOR_MESSAGES,
  type EndpointTree,
  type NodeLocation,
  type NodesIn,
  type ProjectNode,
} from '../../runtime/contract/editorMessages.ts';
import { makeFolder, writeProject } from '../source/checkProject.ts';
import { uriOf } from './languageClient.ts';
import { type MarkedSession, markedSessions } from './markedSession.ts';

const PROJECT = `
=== a_api.py
from toolkit_sdk import Endpoint
api = Endpoint(name="web", cpu="cpu5c-4-8", workers=(1, 5))
@api.get("/items")
def items():
    """Lists them."""
    return []
=== b_gpu.py
from toolkit_sdk import Endpoint, GpuGroup
@Endpoint(gpu=GpuGroup.ADA_24, dependencies=["numpy"], execution_timeout=30)
async def resize(image):
    """Makes it small.

    Slowly."""
    return image
@Endpoint(name="resize", cpu="cpu9")
def twice(image):
    """Says it again."""
    return image
import requests
=== c_routes.py
from a_api import api
@api.post("/items")
def add(name: str):
    """Adds one."""
=== pyproject.toml
[tool.toolkit]
app = "shop"
quota = 20
[[tool.toolkit.endpoints]]
name = "native"
command = ["./native"]
workers = [0, 2]
`;

describe('toolkit/endpointTree', () => {
  const open = markedSessions();

  const latest = (session: MarkedSession): ProjectNode => {
    const tree = session.client.trees.at(-1)!;
    return tree.projects.find(({ root }) => root === session.uri('').replace(/\/$/, ''))!;
  };

  /** The number of trees that typing at a position of an open file sends. */
  async function type(session: MarkedSession, file: string, line: number, character: number, text: string) {
    const before = session.client.trees.length;
    const place = { line, character };
    await session.client.change(session.uri(file), { range: { start: place, end: place }, text });
    await session.client.settled();
    return session.client.trees.length - before;
  }

  it('shows every endpoint in order of file and line, with effective values', () =>
    open(PROJECT, async (session) => {
      const { app, quota, endpoints, folder } = latest(session);
      assert.deepEqual(
        { app, quota, folder },
        {
          app: 'shop',
          quota: { used: 10, limit: 20 },
          folder: session.uri('').replace(/\/$/, ''),
        },
      );
      assert.deepEqual(
        endpoints.map(({ id, name, kind, quotaShare, endpoint }) => ({
          id,
          name,
          kind,
          quotaShare,
          hardware: endpoint.hardware,
          workers: endpoint.workers,
          idleTimeout: endpoint.idleTimeout,
          image: endpoint.image,
          gpuCount: endpoint.gpuCount,
          executionTimeout: endpoint.executionTimeout,
          maxConcurrency: endpoint.maxConcurrency,
        })),
        [
          {
            id: 'a_api.py#web',
            name: 'web',
            kind: 'load-balanced',
            quotaShare: 5,
            hardware: { cpu: 'cpu5c-4-8' },
            workers: { min: 1, max: 5 },
            idleTimeout: 60,
            image: 'toolkit/base-cpu',
            gpuCount: null,
            executionTimeout: 600,
            maxConcurrency: 1,
          },
          {
            id: 'b_gpu.py#resize',
            name: 'resize',
            kind: 'queue',
            quotaShare: 3,
            hardware: { gpu: 'ADA_24' },
            workers: { min: 0, max: 3 },
            idleTimeout: 60,
            image: 'toolkit/base-gpu',
            gpuCount: 1,
            executionTimeout: 30,
            maxConcurrency: 1,
          },
          {
            id: 'b_gpu.py#resize~2',
            name: 'resize',
            kind: 'queue',
            quotaShare: 0,
            hardware: null,
            workers: { min: 0, max: 3 },
            idleTimeout: 60,
            image: null,
            gpuCount: null,
            executionTimeout: 600,
            maxConcurrency: 1,
          },
          {
            id: 'pyproject.toml#native',
            name: 'native',
            kind: 'queue',
            quotaShare: 2,
            hardware: { gpu: 'ANY' },
            workers: { min: 0, max: 2 },
            idleTimeout: 60,
            image: 'toolkit/base-gpu',
            gpuCount: 1,
            executionTimeout: 600,
            maxConcurrency: 1,
          },
        ],
      );
    }));

  it('shows functions and routes with their locations, also in other files', () =>
    open(PROJECT, async (session) => {
      const [web, resize] = latest(session).endpoints;
      const place = ({ uri, range, selectionRange: { start } }: NodeLocation) =>
        `${session.fileOf(uri)}:${range.start.line + 1}-${range.end.line + 1} ${start.line + 1}:${start.character + 1}`;
      assert.equal(place(web!), 'a_api.py:2-2 2:1');
      assert.deepEqual(
        web!.routes.map((route) => [
          route.id,
          route.method,
          route.path,
          route.function,
          route.description,
          place(route),
        ]),
        [
          ['a_api.py#web/GET /items', 'GET', '/items', 'items', 'Lists them.', 'a_api.py:3-6 4:5'],
          ['a_api.py#web/POST /items', 'POST', '/items', 'add', 'Adds one.', 'c_routes.py:2-4 3:5'],
        ],
      );
      assert.deepEqual(
        resize!.functions.map((served) => [
          served.id,
          served.name,
          served.async,
          served.description,
          place(served),
        ]),
        [['b_gpu.py#resize/b_gpu.py:resize', 'resize', true, 'Makes it small.', 'b_gpu.py:2-7 3:11']],
      );
    }));

  it('assigns each finding to the endpoints that contain it, and the others to the project', () =>
    open(PROJECT, async (session) => {
      const { endpoints, problems } = latest(session);
      assert.deepEqual(
        Object.fromEntries(endpoints.map((one) => [one.id, one.problems.map(({ code }) => code)])),
        {
          'a_api.py#web': [],
          'b_gpu.py#resize': ['provided-by-image', 'duplicate-queue-name'],
          'b_gpu.py#resize~2': ['duplicate-queue-name', 'invalid-cpu'],
          'pyproject.toml#native': [],
        },
      );
      assert.deepEqual(
        problems.map(({ code }) => code),
        ['top-level-import'],
      );
    }));

  it('is not sent for typing in a body or for lines that move, and its ids resolve to the new locations', () =>
    open(PROJECT, async (session) => {
      assert.equal(await type(session, 'b_gpu.py', 6, 10, '1 + '), 0);
      assert.equal(await type(session, 'b_gpu.py', 1, 0, '\n\n'), 0);
      assert.equal(await type(session, 'b_gpu.py', 8, 0, '    image = image\n'), 0);
      const found = await session.client.request<NodeLocation>(EDITOR_MESSAGES.locate, {
        root: latest(session).root,
        id: 'b_gpu.py#resize/b_gpu.py:resize',
      });
      assert.deepEqual(
        { uri: found.uri, range: found.range, selectionRange: found.selectionRange },
        {
          uri: session.uri('b_gpu.py'),
          range: { start: { line: 3, character: 0 }, end: { line: 9, character: 20 } },
          selectionRange: { start: { line: 4, character: 10 }, end: { line: 4, character: 16 } },
        },
      );
      assert.equal(
        await session.client.request(EDITOR_MESSAGES.locate, { root: latest(session).root, id: 'gone' }),
        null,
      );
    }));

  it('is sent once for each real change, with a revision that grows', () =>
    open(PROJECT, async (session) => {
      assert.equal(await type(session, 'a_api.py', 2, 10, '/all'), 1);
      assert.deepEqual(
        latest(session).endpoints[0]!.routes.map(({ path }) => path),
        ['/all/items', '/items'],
      );
      const [before, after] = session.client.treeChanges.slice(-2) as [EndpointTree, EndpointTree];
      assert.equal(after.revision, before.revision + 1);
      assert.equal(await type(session, 'a_api.py', 4, 7, 'Really. '), 1);
      assert.equal(latest(session).endpoints[0]!.routes[0]!.description, 'Really. Lists them.');
      assert.equal(await type(session, 'pyproject.toml', 1, 7, 'my-'), 1);
      assert.equal(latest(session).app, 'my-shop');
    }));

  it('contains only the changed endpoints, and their order if it has changed', () =>
    open(PROJECT, async (session) => {
      const change = () => session.client.treeChanges.at(-1)!.projects[0]!;
      const all = latest(session).endpoints.map(({ id }) => id);
      assert.ok(all.length > 1);
      assert.deepEqual(change().order, all);
      assert.equal(await type(session, 'a_api.py', 2, 10, '/all'), 1);
      assert.deepEqual(
        change().endpoints.map(({ id }) => id),
        [all[0]],
      );
      assert.equal(change().order, null);
      assert.deepEqual(
        latest(session).endpoints.map(({ id }) => id),
        all,
      );
    }));

  it('is sent only for the changed project, and names removed ones', () =>
    open(PROJECT, async (session) => {
      const { client } = session;
      const other = writeProject({ 'w.py': 'from toolkit_sdk import Endpoint\n@Endpoint\ndef w(): ...\n' });
      await client.addFolder(other);
      assert.equal(await type(session, 'a_api.py', 2, 10, '/all'), 1);
      const { projects, removed } = client.treeChanges.at(-1)!;
      assert.deepEqual([projects.map(({ root }) => root), removed], [[latest(session).root], []]);
      await client.removeFolder(other);
      const gone = client.treeChanges.at(-1)!;
      assert.deepEqual([gone.projects, gone.removed], [[], [uriOf(other)]]);
    }));

  it('lists files without a project separately', () =>
    open(PROJECT, async ({ client }) => {
      const folder = makeFolder();
      const uris = ['one.py', 'two.py'].map((file) => uriOf(folder, file));
      const text = 'from toolkit_sdk import Endpoint\n@Endpoint()\ndef w(): ...\n';
      for (const uri of uris) await client.open(uri, text);
      await client.settled();
      const ids = () => client.trees.at(-1)!.projects.map(({ id }) => id);
      assert.deepEqual(
        ids().filter((id) => id.endsWith('.py')),
        uris,
      );
      for (const uri of uris) await client.close(uri);
      await client.settled();
      assert.deepEqual(client.treeChanges.at(-1)!.removed, [uris[1]]);
    }));

  it('finds the nodes of a document with their current ranges', () =>
    open(PROJECT, async (session) => {
      const { client } = session;
      await type(session, 'a_api.py', 0, 0, '\n\n');
      await client.close(session.uri('c_routes.py'));
      const nodesIn = async (file: string) => {
        const answer = await client.request<NodesIn>(EDITOR_MESSAGES.nodesIn, { uri: session.uri(file) });
        assert.equal(answer.root, latest(session).root);
        return answer.nodes.map(({ id, range, selectionRange: { start } }) => [
          id,
          `${range.start.line}-${range.end.line} ${start.line}:${start.character}`,
        ]);
      };
      assert.deepEqual(await nodesIn('a_api.py'), [
        ['a_api.py#web', '3-3 3:0'],
        ['a_api.py#web/a_api.py:items', '4-7 5:4'],
        ['a_api.py#web/GET /items', '4-7 5:4'],
      ]);
      assert.deepEqual(await nodesIn('c_routes.py'), [
        ['a_api.py#web/c_routes.py:add', '1-3 2:4'],
        ['a_api.py#web/POST /items', '1-3 2:4'],
      ]);
      assert.deepEqual(await nodesIn('pyproject.toml'), [['pyproject.toml#native', '3-6 4:7']]);
      assert.deepEqual(await nodesIn('none.py'), []);
      assert.equal(await client.request(EDITOR_MESSAGES.nodesIn, { uri: 'file:///elsewhere/a.py' }), null);
      await client.open(session.uri('c_routes.py'), session.files['c_routes.py']!);
    }));

  it('finds the same nodes of broken code in an open document and a closed one', () => {
    const files = [
      `@Endpoint(name="one", workers=f("x)\ndef one():\n    return 1\n`,
      `@Endpoint(name="one", workers=(0, 1)\ndef one():\n    return """1\n`,
      `@Endpoint(name="one", workers=(0, 1))\ndef one():\n    """Tells.\n    return 1\n\n@Endpoint(name="two")\ndef two():\n    return 2\n`,
      `@Endpoint(name="one")\ndef one():\n    x = f"{\n    return 1\n\nclass A:\n    """b\n@Endpoint(name="two")\ndef two():\n    return 2\n`,
      `@Endpoint(name="one")\ndef one(:\n    return (1\n\n@Endpoint(name="two")\ndef two():\n    return ]\n`,
    ];
    const fixture = files
      .map((text, at) => `=== broken${at}.py\nfrom toolkit_sdk import Endpoint\n${text}`)
      .join('');
    return open(fixture, async (session) => {
      const { client } = session;
      let found = 0;
      for (const [file, text] of Object.entries(session.files)) {
        const where = { uri: session.uri(file) };
        const opened = await client.request<NodesIn>(EDITOR_MESSAGES.nodesIn, where);
        await client.close(where.uri);
        await client.settled();
        found += opened.nodes.length;
        assert.deepEqual(await client.request<NodesIn>(EDITOR_MESSAGES.nodesIn, where), opened);
        await client.open(where.uri, text);
      }
      assert.ok(found > 0);
    });
  });

  it('shows the deployments that the editor reports', () =>
    open(PROJECT, async (session) => {
      const deployed = { id: 'abc', url: 'http://127.0.0.1:1/v2/abc', build: 4 };
      await session.client.notify(EDITOR_MESSAGES.deployed, {
        projects: [
          { root: latest(session).root, environment: 'production', endpoints: { web: deployed }, dev: null },
        ],
      });
      await session.client.settled();
      const { endpoints } = latest(session);
      assert.deepEqual(
        endpoints.map((one) => [one.deployed, one.endpoint.deployed]),
        [
          [deployed, deployed],
          [null, null],
          [null, null],
          [null, null],
        ],
      );
      await session.client.notify(EDITOR_MESSAGES.deployed, { projects: [] });
    }));
});
