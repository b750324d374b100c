/** Go to definition over stdio: from peers' calls, instances and names to their declarations. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LocationLink } from 'vscode-languageserver';
import { writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';
import { markedSessions } from './markedSession.ts';

describe('textDocument/definition', () => {
  const open = markedSessions();

  /** From each mark `from NAME` to all marks `to NAME`. At `nothing` there is no result. */
  const check = (fixture: string) =>
    open(fixture, async (session) => {
      for (const mark of session.marks) {
        const [role, name] = mark.label.split(' ');
        if (role === 'to') continue;
        const found = await session.client.request<LocationLink[] | null>(
          'textDocument/definition',
          session.at(mark),
        );
        const places = (found ?? []).map(({ targetUri: uri, targetSelectionRange: range }) =>
          session.describe({ uri, range }),
        );
        assert.deepEqual(places.toSorted(), session.marked(`to ${name}`).toSorted());
        for (const { originSelectionRange } of found ?? [])
          assert.deepEqual(originSelectionRange, mark.range);
      }
    });

  it('leads from calls to a peer to its function', () =>
    check(`
=== gpu.py
from toolkit_sdk import Endpoint
@Endpoint(name="gpu")
async def resize(image): ...
          ^^^^^^ to resize
=== caller.py
from toolkit_sdk import Endpoint
@Endpoint(name="caller")
async def call(image):
    from gpu import resize as small
                    ^^^^^^ from resize
    import gpu
           ^^^ nothing
    await gpu.resize(image)
              ^^^^^^ from resize
    return await small(image)
                 ^^^^^ from resize
`));

  it('leads from an instance to its assignment, across files', () =>
    check(`
=== api.py
from toolkit_sdk import Endpoint
def make(): ...
    ^^^^ nothing
api = None
api: Endpoint = Endpoint(name="web")
^^^ from api
^^^ to api
=== routes.py
from api import api
                ^^^ from api
@api.get("/items")
 ^^^ from api
def items(): ...
    ^^^^^ from items
    ^^^^^ to items
`));

  it('leads from a name to every declaration of it, also in pyproject.toml', () =>
    check(`
=== names.py
NAME = "resize-all"
        ^^^^^^^^^^ from resize
=== gpu.py
from toolkit_sdk import Endpoint
from names import NAME
@Endpoint(name=NAME)
def shrink(image): ...
    ^^^^^^ to resize
=== lb.py
from toolkit_sdk import Endpoint
api = Endpoint("web")
      ^^^^^^^^ to web
                ^^^ from web
=== pyproject.toml
[tool.toolkit]
app = "shop"
       ^ nothing
[[tool.toolkit.endpoints]]
name = "native"
       ^^^^^^^^ to native
        ^^^^^^ from native
command = ["./native"]
`));

  it('sends only locations to editors without links', async () => {
    const text = 'from toolkit_sdk import Endpoint\n@Endpoint()\ndef resize(): return resize\n';
    const root = writeProject({ 'gpu.py': text });
    const client = await LanguageClient.start({ folders: [root], capabilities: {} });
    const uri = uriOf(root, 'gpu.py');
    await client.open(uri, text);
    const position = { line: 2, character: 25 };
    assert.deepEqual(await client.request('textDocument/definition', { textDocument: { uri }, position }), [
      { uri, range: { start: { line: 2, character: 4 }, end: { line: 2, character: 10 } } },
    ]);
    await client.stop();
  });
});
