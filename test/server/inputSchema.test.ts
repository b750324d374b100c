/**
 * `toolkit/inputSchema` from the real server: annotations and defaults become schemas that a validator
 * accepts.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as z from 'zod';
import { EDITOR_MESSAGES } from '../../runtime/contract/editorMessages.ts';
import type { InputSchema, Json, JsonSchema } from '../../runtime/contract/inputSchema.ts';
import { makeFolder, writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const REPOSITORY = path.join(import.meta.dirname, '../..');
const PYTHON = path.join(REPOSITORY, '.venv/bin/python');

const HEAD = `from __future__ import annotations
import datetime, decimal, enum, typing as t, uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Dict, List, Literal, NamedTuple, NewType, Optional, Set, Tuple, TypedDict, Union
from typing_extensions import NotRequired, Required
from pydantic import BaseModel, Field
from toolkit_sdk import Endpoint
`;

const INTEGER: JsonSchema = { type: 'integer' };
const STRING: JsonSchema = { type: 'string' };
const NULL: JsonSchema = { type: 'null' };

function nestedLists(depth: number): JsonSchema {
  return depth === 0 ? INTEGER : { type: 'array', items: nestedLists(depth - 1) };
}

/** A parameter as written, and its schema. */
const PARAMETERS: [written: string, schema: JsonSchema][] = [
  ['x: int', INTEGER],
  ['x: float', { type: 'number' }],
  ['x: str', STRING],
  ['x: bool', { type: 'boolean' }],
  ['x: bytes', { type: 'string', contentEncoding: 'base64' }],
  ['x: None', NULL],
  ['x', {}],
  ['x: Any', {}],
  ['x: object', {}],
  ['x: Unknown', {}],
  ['x: some.Unknown[int]', {}],
  ['x: 1 +', {}],
  ['x: list', { type: 'array' }],
  ['x: list[int]', { type: 'array', items: INTEGER }],
  [`x: ${'list['.repeat(40)}int${']'.repeat(40)}`, nestedLists(40)],
  ['x: List["int"]', { type: 'array', items: INTEGER }],
  ['x: t.List[Any]', { type: 'array' }],
  ['x: Sequence[str]', { type: 'array', items: STRING }],
  ['x: set[int]', { type: 'array', items: INTEGER, uniqueItems: true }],
  ['x: Set[int]', { type: 'array', items: INTEGER, uniqueItems: true }],
  ['x: tuple', { type: 'array' }],
  ['x: tuple[int, ...]', { type: 'array', items: INTEGER }],
  [
    'x: Tuple[int, str]',
    { type: 'array', prefixItems: [INTEGER, STRING], items: false, minItems: 2, maxItems: 2 },
  ],
  ['x: tuple[()]', { type: 'array', prefixItems: [], items: false, minItems: 0, maxItems: 0 }],
  ['x: dict', { type: 'object' }],
  ['x: dict[str, int]', { type: 'object', additionalProperties: INTEGER }],
  ['x: Dict[str, Any]', { type: 'object' }],
  ['x: Mapping[str, list[str]]', { type: 'object', additionalProperties: { type: 'array', items: STRING } }],
  ['x: Optional[int]', { anyOf: [INTEGER, NULL] }],
  ['x: Union[int, str, None]', { anyOf: [INTEGER, STRING, NULL] }],
  ['x: int | str | None', { anyOf: [INTEGER, STRING, NULL] }],
  ['x: int | int', INTEGER],
  ['x: int | Any', {}],
  ['x: "int | None"', { anyOf: [INTEGER, NULL] }],
  ['x: Literal["a", "b"]', { type: 'string', enum: ['a', 'b'] }],
  ['x: Literal[1, -2]', { type: 'integer', enum: [1, -2] }],
  ['x: Literal["a", 1, None, True]', { enum: ['a', 1, true, null] }],
  ['x: datetime.datetime', { type: 'string', format: 'date-time' }],
  ['x: datetime.date', { type: 'string', format: 'date' }],
  ['x: datetime.time', { type: 'string', format: 'time' }],
  ['x: uuid.UUID', { type: 'string', format: 'uuid' }],
  ['x: decimal.Decimal', { type: 'string', format: 'decimal' }],
  ['x: Annotated[int, "how many"]', INTEGER],
  ['x: Annotated[int, Field(ge=1, le=LIMIT)]', { type: 'integer', minimum: 1, maximum: 60 }],
  [
    'x: Annotated[list[int], Field(min_length=1, description="Numbers.")]',
    { type: 'array', items: INTEGER, minItems: 1, description: 'Numbers.' },
  ],
  ['x: Annotated[str, Field(pattern="^a")] = "a"', { type: 'string', pattern: '^a', default: 'a' }],
  ['x: int = 3', { type: 'integer', default: 3 }],
  ['x: float = -0.5', { type: 'number', default: -0.5 }],
  ['x: int = LIMIT', { type: 'integer', default: 60 }],
  ['x: int = compute()', INTEGER],
  ['x: int = None', { anyOf: [INTEGER, NULL], default: null }],
  ['x=None', { default: null }],
  ['x: list[int] = [1, 2]', { type: 'array', items: INTEGER, default: [1, 2] }],
  ['x: dict = {"a": 1}', { type: 'object', default: { a: 1 } }],
  ['x: Ids', { type: 'array', items: INTEGER }],
  ['x: UserId', INTEGER],
  ['x: Recursive', { type: 'array' }],
  ['x: Names', { type: 'array', items: { type: 'string' } }],
  ['x: Tree', { type: 'object' }],
];

const CLASSES = `
LIMIT = 60
Ids = list[int]
UserId = NewType("UserId", int)
Recursive = list["Recursive"]
type Names = list[str]
type Tree = dict[str, Tree]

class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"
    def shade(self): ...

class Level(enum.IntEnum):
    LOW = enum.auto()
    HIGH = 5
    TOP = enum.auto()

class Mode(enum.StrEnum):
    FAST = enum.auto()

class Movie(TypedDict):
    title: str
    year: NotRequired[int]

class Loose(TypedDict, total=False):
    a: int
    b: Required[int]

@dataclass
class Base:
    id: int
    shared: ClassVar[int] = 1

@dataclass
class Point(Base):
    """A point."""
    x: float = 0.5
    tags: list[str] = field(default_factory=list)
    hidden: int = field(default=1, init=False)
    label: str = field(default="p")
    must: int = field(kw_only=True)

class Pair(NamedTuple):
    left: int
    right: str = "r"

class Item(BaseModel):
    """An item."""
    name: str = Field(..., min_length=2, description="Its name.")
    count: int = Field(1, ge=0, lt=10)
    price: float = Field(gt=0)
    color: Color = Color.RED
    other: Optional[str] = None
    camel: int = Field(2, alias="camelCase")
    _private: int = 1

class Node(BaseModel):
    value: int
    next: Optional[Node] = None
    children: list["Node"] = []

class Plain:
    x: int
`;

const CLASS_CASES: [written: string, schema: JsonSchema][] = [
  ['Color', { title: 'Color', type: 'string', enum: ['red', 'blue'] }],
  ['Level', { title: 'Level', type: 'integer', enum: [1, 5, 6] }],
  ['Mode', { title: 'Mode', type: 'string', enum: ['fast'] }],
  [
    'Movie',
    { title: 'Movie', type: 'object', properties: { title: STRING, year: INTEGER }, required: ['title'] },
  ],
  ['Loose', { title: 'Loose', type: 'object', properties: { a: INTEGER, b: INTEGER }, required: ['b'] }],
  [
    'Point',
    {
      title: 'Point',
      description: 'A point.',
      type: 'object',
      properties: {
        id: INTEGER,
        x: { type: 'number', default: 0.5 },
        tags: { type: 'array', items: STRING, default: [] },
        label: { type: 'string', default: 'p' },
        must: INTEGER,
      },
      required: ['id', 'must'],
      additionalProperties: false,
    },
  ],
  [
    'Pair',
    {
      title: 'Pair',
      type: 'array',
      prefixItems: [INTEGER, { type: 'string', default: 'r' }],
      items: false,
      minItems: 1,
      maxItems: 2,
    },
  ],
  [
    'Item',
    {
      title: 'Item',
      description: 'An item.',
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 2, description: 'Its name.' },
        count: { type: 'integer', minimum: 0, exclusiveMaximum: 10, default: 1 },
        price: { type: 'number', exclusiveMinimum: 0 },
        color: { $ref: '#/$defs/Color', default: 'red' },
        other: { anyOf: [STRING, NULL], default: null },
        camelCase: { type: 'integer', default: 2 },
      },
      required: ['name', 'price'],
    },
  ],
  [
    'Node',
    {
      title: 'Node',
      type: 'object',
      properties: {
        value: INTEGER,
        next: { anyOf: [{ $ref: '#/$defs/Node' }, NULL], default: null },
        children: { type: 'array', items: { $ref: '#/$defs/Node' }, default: [] },
      },
      required: ['value'],
    },
  ],
];

describe('toolkit/inputSchema', () => {
  let client: LanguageClient;
  before(async () => {
    client = await LanguageClient.start({ folders: [] });
  });
  after(() => client.stop());

  /** Requests nodes of a project whose files are not open. */
  async function schemasOf(files: Record<string, string>, ...ids: string[]): Promise<(InputSchema | null)[]> {
    const root = writeProject(files, makeFolder());
    await client.addFolder(root);
    const answers = await Promise.all(
      ids.map((id) =>
        client.request<InputSchema | null>(EDITOR_MESSAGES.inputSchema, { root: uriOf(root), id }),
      ),
    );
    await client.removeFolder(root);
    for (const answer of answers) if (answer) assertReads(answer, answer.example);
    return answers;
  }

  it('translates each annotation into JSON Schema', async () => {
    const functions = PARAMETERS.map(
      ([written], at) => `@Endpoint(name="e${at}")\ndef f${at}(${written}): ...\n`,
    );
    const ids = PARAMETERS.map((_, at) => `a.py#e${at}`);
    // A parameter that is invalid Python is in a separate file, so that it does not affect the others.
    const broken = PARAMETERS.findIndex(([written]) => written.endsWith('+'));
    const files = {
      'a.py': HEAD + CLASSES + functions.filter((_, at) => at !== broken).join(''),
      'b.py': HEAD + functions[broken],
    };
    ids[broken] = `b.py#e${broken}`;
    const answers = await schemasOf(files, ...ids);
    assert.deepEqual(
      answers.map((answer, at) => [PARAMETERS[at]![0], answer?.schema.properties?.x]),
      PARAMETERS.map(([written, schema]) => [written, schema]),
    );
  });

  it('puts classes of the project into $defs, also those of other files, and recursive ones', async () => {
    const functions = CLASS_CASES.map(
      ([name]) => `@Endpoint(name="${name}")\ndef f_${name}(x: models.${name}): ...\n`,
    );
    const files = {
      'shop/models.py': HEAD + CLASSES,
      'a.py': `${HEAD}from shop import models\n${functions.join('')}`,
    };
    const answers = await schemasOf(files, ...CLASS_CASES.map(([name]) => `a.py#${name}`));
    assert.deepEqual(
      answers.map((answer, at) => [
        answer?.schema.properties?.x,
        answer?.schema.$defs?.[CLASS_CASES[at]![0]],
      ]),
      CLASS_CASES.map(([name, schema]) => [{ $ref: `#/$defs/${name}` }, schema]),
    );
    const node = answers.at(-1)!;
    assertReads(node, { x: { value: 1, next: { value: 2, children: [{ value: 3 }] } } });
    assertRefuses(node, { x: { value: 1, next: { children: [] } } });
  });

  it("gives examples that the worker's own argument check accepts", async () => {
    const written = [
      ...PARAMETERS.map(([parameter]) => parameter).filter(
        (one) => !/\+$|Unknown|compute|Recursive|Names|Tree/.test(one),
      ),
      ...CLASS_CASES.map(([name]) => `x: ${name}`),
    ];
    const functions = written.map(
      (parameter, at) => `@Endpoint(name="e${at}")\ndef f${at}(${parameter}): ...\n`,
    );
    // StrEnum is newer than the oldest Python that workers run.
    const models = `${HEAD}enum.StrEnum = getattr(enum, "StrEnum", enum.Enum)\n${CLASSES}`;
    const files = { 'a.py': models + functions.join('') };
    const answers = await schemasOf(files, ...written.map((_, at) => `a.py#e${at}`));
    const code = files['a.py']
      .replaceAll(/^(?:Recursive =|type ).*$/gm, '')
      .replaceAll(/^@Endpoint\(.*$/gm, '');
    const script = `${code}
import json, sys
from toolkit_sdk._worker.binding import ArgumentError, Binder
refused = []
for at, example in enumerate(json.load(sys.stdin)):
    try:
        Binder(globals()[f"f{at}"]).bind(example)
    except ArgumentError as error:
        refused.append(f"{example}: {error}")
print(json.dumps(refused))
`;
    const root = writeProject({ 'bind.py': script }, makeFolder());
    const { stdout, stderr } = spawnSync(PYTHON, [path.join(root, 'bind.py')], {
      input: JSON.stringify(answers.map((answer) => answer?.example)),
      env: { ...process.env, PYTHONPATH: path.join(REPOSITORY, 'runtime/python') },
      encoding: 'utf8',
    });
    assert.deepEqual({ stdout, stderr }, { stdout: '[]\n', stderr: '' });
  });

  it('gives an example of a class that requires itself, though no value is valid', async () => {
    const endless = `${HEAD}@dataclass
class Endless:
    next: Endless


@Endpoint(name="one")
def run(x: Endless): ...
`;
    const root = writeProject({ 'a.py': endless }, makeFolder());
    await client.addFolder(root);
    const place = { root: uriOf(root), id: 'a.py#one' };
    const answer = await client.request<InputSchema>(EDITOR_MESSAGES.inputSchema, place);
    await client.removeFolder(root);
    assert.deepEqual(answer.example, { x: { next: null } });
  });

  it('distinguishes classes of the same name in two files', async () => {
    const files = {
      'one.py': `${HEAD}class Item(BaseModel):\n    a: int\n`,
      'two.py': `${HEAD}class Item(BaseModel):\n    b: int\n`,
      'a.py': `${HEAD}import one, two\n@Endpoint(name="e")\ndef f(x: one.Item, y: two.Item): ...\n`,
    };
    const [answer] = await schemasOf(files, 'a.py#e');
    assert.deepEqual(Object.keys(answer!.schema.$defs ?? {}), ['Item', 'Item2']);
    assert.deepEqual(answer!.schema.properties, {
      x: { $ref: '#/$defs/Item' },
      y: { $ref: '#/$defs/Item2' },
    });
  });

  it('accepts names with a special meaning in JavaScript', async () => {
    const files = {
      'a.py': `${HEAD}
class __proto__(BaseModel):
    constructor: int
@Endpoint(name="e")
def f(__proto__: __proto__, toString: int): ...
`,
    };
    const [answer] = await schemasOf(files, 'a.py#e');
    assert.deepEqual(answer!.schema.required, ['__proto__', 'toString']);
    assert.deepEqual(Object.keys(answer!.schema.properties!), ['__proto__', 'toString']);
    assert.deepEqual(Object.keys(answer!.schema.$defs!), ['__proto__']);
  });

  it('requires parameters without a default, ignores *args, and allows other names with **kwargs', async () => {
    const files = {
      'a.py': `${HEAD}
@Endpoint(name="closed")
def closed(a: int, *rest: int, b: str, c: int = 1):
    """Closed."""
@Endpoint(name="open")
def opened(**more: Any): ...
@Endpoint(name="method")
class Model:
    def run(self, text: str): ...
`,
    };
    const [closed, opened, method] = await schemasOf(
      files,
      'a.py#closed',
      'a.py#open',
      'a.py#method/a.py:Model',
    );
    assert.deepEqual(closed, {
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        title: 'closed',
        description: 'Closed.',
        properties: { a: INTEGER, b: STRING, c: { type: 'integer', default: 1 } },
        required: ['a', 'b'],
        additionalProperties: false,
      },
      example: { a: 1, b: 'text', c: 1 },
      sources: { a: 'body', b: 'body', c: 'body' },
    });
    assertRefuses(closed!, { a: 1, b: 'x', d: 1 });
    assertReads(opened!, { anything: [1] });
    assert.deepEqual([method!.schema.title, method!.schema.required], ['run', ['text']]);
  });

  it('states for routes whether a parameter is in the path, the query or the body', async () => {
    const files = {
      'lb.py': `${HEAD}
api = Endpoint(name="api", cpu="cpu5c-4-8")
@api.get("/users/{id}")
def read(id: int, verbose: bool = False): ...
@api.delete("/files/{path:path}")
def drop(path: str, force: bool = False): ...
@api.put("/users/{id}")
def write(id: int, name: str): ...
`,
    };
    const route = (name: string) => `lb.py#api/${name}`;
    const answers = await schemasOf(
      files,
      route('GET /users/{id}'),
      route('DELETE /files/{path:path}'),
      route('PUT /users/{id}'),
      route('lb.py:write'),
      'lb.py#api',
      'lb.py#gone',
    );
    assert.deepEqual(
      answers.map((answer) => answer?.sources),
      [
        { id: 'path', verbose: 'query' },
        { path: 'path', force: 'query' },
        { id: 'path', name: 'body' },
        { id: 'path', name: 'body' },
        undefined,
        undefined,
      ],
    );
  });

  it('omits what FastAPI fills in itself, and follows explicit locations of parameters', async () => {
    const files = {
      'lb.py': `${HEAD}
import fastapi
from fastapi import BackgroundTasks, Body, Depends, Header, Query
from starlette.requests import Request as Asked
api = Endpoint(name="api", cpu="cpu5c-4-8")
@api.post("/users/{id}")
def write(
    id: Annotated[int, fastapi.Path()],
    request: fastapi.Request,
    asked: Asked,
    tasks: BackgroundTasks,
    agent: Annotated[str, Header()],
    dry: bool = Query(False),
    name: str = Body(..., min_length=1),
    user: Any = Depends(compute),
    note: str = "",
): ...
@Endpoint(name="queue")
def queue(request: fastapi.Request): ...
`,
    };
    const [route, queue] = await schemasOf(files, 'lb.py#api/POST /users/{id}', 'lb.py#queue');
    assert.deepEqual(route!.sources, { id: 'path', dry: 'query', name: 'body', note: 'body' });
    assert.deepEqual(route!.schema.required, ['id', 'name']);
    assert.deepEqual(queue!.sources, { request: 'body' });
  });

  it('handles annotations that cannot be resolved: deep, cyclic and huge ones', async () => {
    const doubling = Array.from({ length: 40 }, (_, at) => `T${at} = tuple[T${at + 1}, T${at + 1}]\n`).join(
      '',
    );
    const files = {
      'a.py': `${HEAD}${doubling}T40 = int
class A(B): x: int
class B(A): y: "C"
class C(BaseModel, A): z: "A | C"
class Again(BaseModel): x: int
class Below(Again): y: int
class Again(Below): z: int
@Endpoint(name="e")
def f(again: Again, b: A, c: C, a: T0, d: ${'list['.repeat(300)}int${']'.repeat(300)}, e: "${'('.repeat(500)}"): ...
`,
    };
    const [answer] = await schemasOf(files, 'a.py#e');
    assert.deepEqual(Object.keys(answer!.schema.properties ?? {}), ['again', 'b', 'c', 'a', 'd', 'e']);
  });
});

function validatorOf({ schema }: InputSchema): z.ZodType {
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
}

function assertReads(schema: InputSchema, input: Record<string, Json>): void {
  const { success, error } = validatorOf(schema).safeParse(input);
  assert.ok(success, `${JSON.stringify(input)} for ${JSON.stringify(schema.schema)}: ${error}`);
}

function assertRefuses(schema: InputSchema, input: Record<string, Json>): void {
  assert.ok(!validatorOf(schema).safeParse(input).success, JSON.stringify(input));
}
