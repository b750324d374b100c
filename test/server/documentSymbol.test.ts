/** The outline of a document and the symbols of the workspace over stdio: only declarations. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DocumentSymbol, WorkspaceSymbol } from 'vscode-languageserver';
import { markedSessions } from './markedSession.ts';

const PROJECT = `
=== api.py
from toolkit_sdk import Endpoint
LIMIT = 3
api = Endpoint(name="web", cpu="cpu5c-4-8")
def unrelated(): ...
@api.get("/items/{id}")
def item(id: int):
    return id
@Endpoint()
async def resize(image):
    return image
@api.post("/items")
def add(name: str): ...
=== more.py
from toolkit_sdk import Endpoint
from api import api
@api.delete("/items/{id}")
def remove(id: int): ...
@Endpoint(name="model")
class Model:
    def generate(self, text): ...
@Endpoint(name=open("x").read())
def unnamed(): ...
=== plain.py
class Endpoint: ...
def resize(): ...
=== pyproject.toml
[tool.toolkit]
app = "shop"
[[tool.toolkit.endpoints]]
name = "native"
command = ["./native"]
`;

/** One line for each symbol, children indented: name, detail, lines, selected text. */
function outline(symbols: readonly DocumentSymbol[], text: string, indent = ''): string[] {
  const lines = text.split('\n');
  return symbols.flatMap(({ name, detail, range, selectionRange: { start, end }, children }) => {
    const selected = lines[start.line]!.slice(
      start.character,
      end.line === start.line ? end.character : undefined,
    );
    const line = `${indent}${name} | ${detail ?? ''} | ${range.start.line + 1}-${range.end.line + 1} | ${selected}`;
    return [line, ...outline(children ?? [], text, `${indent}  `)];
  });
}

describe('textDocument/documentSymbol', () => {
  const open = markedSessions();

  const check = (file: string, expected: string[]) =>
    open(PROJECT, async (session) => {
      const found = await session.client.request<DocumentSymbol[]>('textDocument/documentSymbol', {
        textDocument: { uri: session.uri(file) },
      });
      assert.deepEqual(outline(found, session.files[file]!), expected);
    });

  it('shows endpoints with their routes and functions; an instance reaches to the next endpoint', () =>
    check('api.py', [
      'web | load-balanced endpoint | 3-7 | api',
      '  GET /items/{id} | item | 5-7 | item',
      '  POST /items | add | 11-12 | add',
      'resize | queue-based endpoint | 8-10 | resize',
      '  resize |  | 8-10 | resize',
    ]));

  it('shows routes of an instance of another file, classes, and endpoints whose names are dynamic', () =>
    check('more.py', [
      'web | declared in api.py | 3-4 | remove',
      '  DELETE /items/{id} | remove | 3-4 | remove',
      'model | queue-based endpoint | 5-7 | Model',
      '  Model |  | 5-7 | Model',
      'endpoint with a dynamic name | queue-based endpoint | 8-9 | unnamed',
      '  unnamed |  | 8-9 | unnamed',
    ]));

  it('shows nothing for a file that declares nothing', () => check('plain.py', []));

  it('shows the endpoints of pyproject.toml', () =>
    check('pyproject.toml', ['native | queue-based endpoint | 3-5 | "native"']));
});

describe('workspace/symbol', () => {
  const open = markedSessions();

  const check = (query: string, expected: string[]) =>
    open(PROJECT, async (session) => {
      const found = await session.client.request<WorkspaceSymbol[]>('workspace/symbol', { query });
      const symbols = found.map(({ name, containerName, location }) => {
        const { range } = location as { uri: string; range: DocumentSymbol['range'] };
        return `${name} | ${containerName} | ${session.fileOf(location.uri)}:${range.start.line + 1}`;
      });
      assert.deepEqual(symbols.toSorted(), expected);
    });

  it('finds endpoints, functions and routes that contain the characters of a query in order', async () => {
    await check('RSZ', ['resize | shop | api.py:9']);
    await check('items', [
      'DELETE /items/{id} | web | more.py:3',
      'GET /items/{id} | web | api.py:5',
      'POST /items | web | api.py:11',
    ]);
    await check('ntv', ['native | shop | pyproject.toml:4']);
    await check('zzz', []);
  });

  it('finds everything for an empty query', () =>
    check('', [
      'DELETE /items/{id} | web | more.py:3',
      'GET /items/{id} | web | api.py:5',
      'Model | model | more.py:6',
      'POST /items | web | api.py:11',
      'add | web | api.py:12',
      'item | web | api.py:6',
      'model | shop | more.py:6',
      'native | shop | pyproject.toml:4',
      'remove | web | more.py:4',
      'resize | shop | api.py:9',
      'unnamed | shop | more.py:9',
      'web | shop | api.py:3',
    ]));
});
