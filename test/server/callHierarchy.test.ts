/** Calls between endpoints over stdio: who calls a function of an endpoint, and which it calls. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
} from 'vscode-languageserver';
import { type MarkedSession, markedSessions } from './markedSession.ts';

const PROJECT = `
=== gpu.py
from toolkit_sdk import Endpoint
@Endpoint(name="gpu")
def resize(image): ...
    ^^^^^^ gpu
@Endpoint(name="model")
class Model:
    def generate(self, text): ...
=== hub.py
from gpu import resize as small
=== api.py
from toolkit_sdk import Endpoint
api = Endpoint(name="web")
^^^ web
@api.post("/both")
def both(image):
    ^^^^ both
    from gpu import resize, Model
    import gpu
    Model().generate(resize(image))
    def later():
        from hub import small
        return small(image)
    return gpu.resize(image), later, resize
@api.get("/none")
def none(resize):
    return resize(1)
@Endpoint()
def chained(image):
    return both(image)
def script():
    from gpu import resize
    resize(1)
`;

async function items(session: MarkedSession, label: string): Promise<CallHierarchyItem[]> {
  const mark = session.marks.find((one) => one.label === label)!;
  return session.client.request('textDocument/prepareCallHierarchy', session.at(mark));
}

describe('callHierarchy', () => {
  const open = markedSessions();

  it('prepares the functions of the symbol at a position', () =>
    open(PROJECT, async (session) => {
      const namesOf = (found: CallHierarchyItem[]) => found.map(({ name, detail }) => `${name} (${detail})`);
      assert.deepEqual(namesOf(await items(session, 'gpu')), ['resize (gpu)']);
      assert.deepEqual(namesOf(await items(session, 'both')), ['both (web · POST /both)']);
      assert.deepEqual(namesOf(await items(session, 'web')), [
        'both (web · POST /both)',
        'none (web · GET /none)',
      ]);
    }));

  it('shows the peers that a body calls, by any name', () =>
    open(PROJECT, async (session) => {
      const [item] = await items(session, 'both');
      const calls = await session.client.request<CallHierarchyOutgoingCall[]>('callHierarchy/outgoingCalls', {
        item,
      });
      assert.deepEqual(
        calls.map(({ to, fromRanges }) => [
          to.name,
          fromRanges.map(({ start }) => start.line + 1).toSorted((a, b) => a - b),
        ]),
        [
          ['resize', [7, 10, 11]],
          ['Model', [7]],
        ],
      );
    }));

  it('shows the functions of endpoints that call one, and no other code', () =>
    open(PROJECT, async (session) => {
      const callers = async (label: string) => {
        const [item] = await items(session, label);
        const calls = await session.client.request<CallHierarchyIncomingCall[]>(
          'callHierarchy/incomingCalls',
          { item },
        );
        return calls.map(({ from, fromRanges }) => `${from.name} ${fromRanges.length}`);
      };
      assert.deepEqual(await callers('gpu'), ['both 3']);
      assert.deepEqual(await callers('both'), ['chained 1']);
    }));
});
