/** References and highlights over stdio: all locations of a function, an instance or a name, and no other. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DocumentHighlight, DocumentHighlightKind, type Location } from 'vscode-languageserver';
import { markedSessions } from './markedSession.ts';

const FUNCTION = `
=== gpu.py
from toolkit_sdk import Endpoint
@Endpoint(name="gpu")
def resize(image):
    ^^^^^^ def
    return resize
           ^^^^^^ ref
def unrelated(resize): return resize
              ^^^^^^ other
=== caller.py
from toolkit_sdk import Endpoint
@Endpoint(name="caller")
def call(image):
    from gpu import resize as small
                    ^^^^^^ ref
                              ^^^^^ ref
    return small(image)
           ^^^^^ ref
def again(image):
    import gpu
    return gpu.resize(image)
               ^^^^^^ ref
=== docs.py
resize = "another"
^^^^^^ other
`;

const NAME = `
=== names.py
WEB = "web"
      ^^^^^ given
       | name
=== api.py
from toolkit_sdk import Endpoint
from names import WEB
api = Endpoint(name=WEB)
^^^ def
@api.get("/a")
 ^^^ ref
def a(): ...
    ^ def
=== extra.py
from toolkit_sdk import Endpoint
from api import api
                ^^^ ref
more = Endpoint("web", workers=(0, 1))
^^^^ def
                ^^^^^ given
@api.post("/b")
 ^^^ ref
def b(): ...
    ^ def
@more.put("/c")
 ^^^^ ref
def c(): ...
    ^ def
text = "web"
`;

type Place = [uri: string, line: number, character: number];

function byPlace([a, line, character]: Place, [b, otherLine, otherCharacter]: Place): number {
  return a === b ? line - otherLine || character - otherCharacter : a < b ? -1 : 1;
}

describe('textDocument/references', () => {
  const open = markedSessions();

  const ask = (fixture: string, from: RegExp, expected: Record<'true' | 'false', string[]>) =>
    open(fixture, async (session) => {
      for (const mark of session.marks.filter(({ label }) => from.test(label))) {
        for (const includeDeclaration of [true, false]) {
          const found = await session.client.request<Location[] | null>('textDocument/references', {
            ...session.at(mark),
            context: { includeDeclaration },
          });
          assert.deepEqual(
            (found ?? []).map((one) => session.describe(one)).toSorted(),
            session.marked(...expected[`${includeDeclaration}`]).toSorted(),
            `from ${session.describe({ uri: session.uri(mark.file), range: mark.range })}`,
          );
          const places = (found ?? []).map(
            ({ uri, range: { start } }): Place => [uri, start.line, start.character],
          );
          assert.deepEqual(places, places.toSorted(byPlace), 'file by file, in order');
        }
      }
    });

  it('finds a function in other files and under its aliases, with or without its declaration', () =>
    ask(FUNCTION, /def|ref/, { true: ['def', 'ref'], false: ['ref'] }));

  it('returns nothing for symbols that belong to no endpoint', () =>
    ask(FUNCTION, /other/, { true: [], false: [] }));

  it('finds where a name is given and where its symbol is used', () =>
    ask(NAME, /name/, { true: ['def', 'ref', 'given'], false: ['ref'] }));

  it('keeps projects in one folder separate', () =>
    open(
      `
=== one/pyproject.toml
[tool.toolkit]
app = "one"
=== one/gpu.py
from toolkit_sdk import Endpoint
@Endpoint(name="gpu")
def resize(image): ...
    ^^^^^^ one
=== two/pyproject.toml
[tool.toolkit]
app = "two"
=== two/gpu.py
from toolkit_sdk import Endpoint
@Endpoint(name="gpu")
def resize(image): ...
    ^^^^^^ two
=== two/caller.py
from gpu import resize
                ^^^^^^ two
`,
      async (session) => {
        for (const mark of session.marks) {
          const found = await session.client.request<Location[]>('textDocument/references', {
            ...session.at(mark),
            context: { includeDeclaration: true },
          });
          assert.deepEqual(
            found.map((one) => session.describe(one)).toSorted(),
            session.marked(mark.label).toSorted(),
          );
        }
      },
    ));
});

describe('textDocument/documentHighlight', () => {
  const open = markedSessions();

  it('shows the locations in one document, and which of them bind the name', () =>
    open(FUNCTION, async (session) => {
      for (const mark of session.marks.filter(({ label }) => label !== 'other')) {
        const found = await session.client.request<DocumentHighlight[]>(
          'textDocument/documentHighlight',
          session.at(mark),
        );
        assert.deepEqual(
          found.map(({ range }) => session.describe({ uri: session.uri(mark.file), range })).toSorted(),
          session
            .marked('def', 'ref')
            .filter((place) => place.startsWith(`${mark.file}:`))
            .toSorted(),
        );
        const written = found.filter(({ kind }) => kind === DocumentHighlightKind.Write);
        assert.equal(written.length, 1, 'the definition, or the name that the import binds');
      }
    }));
});
