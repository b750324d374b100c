/** `GET /openapi.json` of the real `toolkit dev`: passes a validator and describes what is served. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { workbench } from '../setup/toolkit.ts';
import { DevSession } from './devSession.ts';

interface Operation {
  operationId: string;
  tags: string[];
  summary?: string;
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } };
  responses: Record<string, { content: { 'application/json': { schema: object } } }>;
}

interface Schema {
  properties: Record<string, Schema>;
  required?: string[];
  $ref?: string;
}

interface OpenApi {
  openapi: string;
  info: { title: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes?: object };
}

const HEAD = 'from dataclasses import dataclass\nfrom toolkit_sdk import Endpoint\n\n';

const QUEUE = `${HEAD}
@Endpoint(name="counter", cpu="cpu3c-1-2")
def count(text: str, times: int = 1):
    """Count words."""


@Endpoint(name="model", cpu="cpu3c-1-2")
class Model:
    """A model."""

    def predict(self, prompt: str, temperature: float = 0.5):
        """Predict the next words."""


@Endpoint(name="idle", cpu="cpu3c-1-2")
def idle():
    pass
`;

const MODELS = `${HEAD}
@dataclass
class Author:
    name: str


@dataclass
class Book:
    title: str
    author: Author
    sequels: "list[Book]"


@Endpoint(name="print-book", cpu="cpu3c-1-2")
def print_book(book: Book):
    pass


api = Endpoint(name="library", cpu="cpu3c-1-2")


@api.post("/books")
async def add(book: Book, copies: int = 1):
    """Add a book."""


@api.get("/books/{book_id}")
def get(book_id: int, fields: list[str] = []):
    pass


@api.delete("/books/{id}")
def remove(id: int):
    pass


@api.put("/files/{name:path}")
def write(name: str, content: bytes):
    pass


@api.get("/missing/{other}")
def missing(wanted: int):
    pass
`;

const OTHER_BOOK = `${HEAD}
@dataclass
class Book:
    pages: int


@Endpoint(name="count-pages", cpu="cpu3c-1-2")
def count_pages(book: Book):
    pass
`;

const UNICODE = `${HEAD}
@dataclass
class Größe:
    höhe: float


@Endpoint(name="measure", cpu="cpu3c-1-2")
def messen(größe: Größe, 名前: str = "日本"):
    """Größe messen, 測る."""


api = Endpoint(name="paths", cpu="cpu3c-1-2")


@api.get("/größen/{part}")
def lesen(part: str):
    pass
`;

const CLASHES = `${HEAD}
api = Endpoint(name="one", cpu="cpu3c-1-2")
other = Endpoint(name="two", cpu="cpu3c-1-2")


@api.get("/both/{a}")
def one(a: int):
    pass


@other.get("/both/{b}")
def two(b: int):
    pass
`;

describe('GET /openapi.json', () => {
  const bench = workbench({ after });
  let projects = 0;

  async function openapi(files: Record<string, string>, args: string[] = []): Promise<OpenApi> {
    projects += 1;
    const project = bench.project(`p${projects}`, { 'pyproject.toml': '', ...files });
    const dev = await DevSession.start(project, bench.home, args);
    const { token } = await dev.event('ready');
    if (token !== null) assert.equal((await dev.request('GET', '/openapi.json')).status, 401);
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    const { status, text } = await dev.request('GET', '/openapi.json', undefined, headers);
    await dev.stop();
    assert.equal(status, 200, text);
    const document = JSON.parse(text) as OpenApi;
    const { valid, errors } = await new Validator().validate(JSON.parse(text));
    assert.ok(valid, JSON.stringify(errors));
    const ids = Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .map(({ operationId }) => operationId);
    assert.equal(new Set(ids).size, ids.length, 'operationIds are unique');
    assertReferencesResolve(document, document);
    return document;
  }

  it('describes a queue-based function and a class, with everything served below their paths', async () => {
    const { openapi: version, info, tags, paths } = await openapi({ 'deep/worker.py': QUEUE });
    assert.equal(version, '3.1.0');
    assert.match(info.title, /^p\d+$/);
    assert.deepEqual(tags, [{ name: 'deep/worker.py' }, { name: 'dev server' }]);
    assert.deepEqual(
      Object.keys(paths).filter((path) => path.startsWith('/deep/worker/count')),
      ['runsync', 'run', 'status/{job}', 'status-sync/{job}', 'stream/{job}', 'cancel/{job}'].map(
        (one) => `/deep/worker/count/${one}`,
      ),
    );
    const { post } = paths['/deep/worker/count/runsync']!;
    assert.deepEqual([post!.summary, post!.tags], ['Count words.', ['deep/worker.py']]);
    assert.deepEqual(Object.keys(post!.responses), ['200', '400', '504', 'default']);
    const { schema } = post!.requestBody!.content['application/json'];
    assert.deepEqual(schema.required, ['input']);
    assert.deepEqual(schema.properties['input'], {
      type: 'object',
      title: 'count',
      description: 'Count words.',
      properties: { text: { type: 'string' }, times: { type: 'integer', default: 1 } },
      required: ['text'],
      additionalProperties: false,
    });
    const model = paths['/deep/worker/Model/run']!['post']!;
    const input = model.requestBody!.content['application/json'].schema.properties['input']!;
    assert.deepEqual(Object.keys(input.properties), ['prompt', 'temperature']);
    const idle = paths['/deep/worker/idle/runsync']!['post']!;
    assert.deepEqual(
      idle.requestBody!.content['application/json'].schema.properties['input']!.properties,
      {},
    );
    assert.ok(paths['/']!['get']);
  });

  it('describes routes: path, query and body, and classes that several functions share', async () => {
    const { paths, components } = await openapi({ 'library.py': MODELS, 'pages.py': OTHER_BOOK });
    const body = (path: string, method: string) =>
      paths[path]![method]!.requestBody?.content['application/json'].schema;
    const added = body('/library/books', 'post')!;
    assert.deepEqual(added.properties['book'], { $ref: '#/components/schemas/Book' });
    assert.deepEqual(added.required, ['book']);
    assert.equal(paths['/library/books']!['post']!.requestBody!.required, true);
    const printed = body('/library/runsync', 'post')!;
    assert.deepEqual(printed.properties['input']!.properties['book'], { $ref: '#/components/schemas/Book' });
    // A class with the same name in another file.
    const counted = body('/pages/runsync', 'post')!;
    assert.deepEqual(counted.properties['input']!.properties['book'], {
      $ref: '#/components/schemas/Book_2',
    });
    assert.deepEqual(Object.keys(components.schemas['Book_2']!.properties), ['pages']);

    const book = paths['/library/books/{book_id}']!;
    assert.deepEqual(book['get']!.parameters, [
      { name: 'book_id', in: 'path', required: true, schema: { type: 'integer' } },
      {
        name: 'fields',
        in: 'query',
        required: false,
        schema: { type: 'array', items: { type: 'string' }, default: [] },
      },
    ]);
    // One path in OpenAPI, although the second function names its parameter differently.
    assert.deepEqual(
      book['delete']!.parameters!.map(({ name }) => name),
      ['book_id'],
    );
    assert.equal(book['get']!.requestBody, undefined);
    assert.deepEqual(Object.keys(body('/library/files/{name}', 'put')!.properties), ['content']);
  });

  it('describes a project that declares nothing yet', async () => {
    const { paths } = await openapi({});
    assert.deepEqual(Object.keys(paths), ['/']);
  });

  it('accepts names that are not ASCII', async () => {
    const { paths, components } = await openapi({ 'maße.py': UNICODE });
    const { post } = paths[`/${encodeURIComponent('maße')}/runsync`]!;
    assert.equal(post!.summary, 'Größe messen, 測る.');
    const { input } = post!.requestBody!.content['application/json'].schema.properties;
    assert.deepEqual(Object.keys(input!.properties), ['größe', '名前']);
    assert.deepEqual(
      paths[`/${encodeURIComponent('maße')}${encodeURI('/größen')}/{part}`]!['get']!.parameters,
      [{ name: 'part', in: 'path', required: true, schema: { type: 'string' } }],
    );
    const name = input!.properties['größe']!.$ref!.split('/').at(-1)!;
    assert.deepEqual(Object.keys(components.schemas[name]!.properties), ['höhe']);
  });

  it('marks a path that is declared twice as not served', async () => {
    const { paths } = await openapi({ 'both.py': CLASHES });
    const { get } = paths['/both/both/{a}']!;
    assert.deepEqual(Object.keys(get!.responses), ['409']);
    assert.equal(paths['/both/both/{b}'], undefined);
  });

  it('keeps the description of a file that cannot be read now, and follows saves', async () => {
    const project = bench.project('live', { 'pyproject.toml': '', 'worker.py': QUEUE });
    const dev = await DevSession.start(project, bench.home);
    const parameters = async () => {
      const { text } = await dev.request('GET', '/openapi.json');
      const { post } = (JSON.parse(text) as OpenApi).paths['/worker/count/runsync']!;
      return Object.keys(
        post!.requestBody!.content['application/json'].schema.properties['input']!.properties,
      );
    };
    assert.deepEqual(await parameters(), ['text', 'times']);
    bench.project('live', { 'worker.py': QUEUE.replace('times: int', 'often: int') });
    await dev.event('reload');
    assert.deepEqual(await parameters(), ['text', 'often']);
    const from = dev.events.length;
    bench.project('live', { 'worker.py': `def broken(:\n${QUEUE.replace('from toolkit_sdk', 'from')}` });
    await dev.event('reload', { from });
    assert.deepEqual(await parameters(), ['text', 'often']);
    await dev.stop();
  });

  it('requires the token when other machines can connect', async () => {
    const { components } = await openapi({ 'worker.py': QUEUE }, ['--host', '0.0.0.0']);
    assert.deepEqual(components.securitySchemes, { token: { type: 'http', scheme: 'bearer' } });
  });
});

function assertReferencesResolve(value: unknown, document: OpenApi): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key !== '$ref') assertReferencesResolve(inner, document);
    else assert.ok(components(document).has(String(inner)), String(inner));
  }
}

function components({ components: { schemas } }: OpenApi): Set<string> {
  return new Set(Object.keys(schemas).map((name) => `#/components/schemas/${name}`));
}
