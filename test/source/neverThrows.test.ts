import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { readProject } from '../../runtime/source/readProject.ts';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';
import { writeProject } from './checkProject.ts';
import { readFacts } from './readFacts.ts';

const TEXT = `from toolkit_sdk import Endpoint as E, GpuGroup
import toolkit_sdk as t
WORKERS, NAMES = (0, 2), {"a": ["b", *("c",)], **{}}
api: E = E(name=f"api-{NAMES['a'][0]}", workers=WORKERS, env={"A": "\\x41"})

@api.get("/items/{id}")
@t.Endpoint("x", gpu=GpuGroup.ANY, dependencies=["a"] + ["b"], **{"cpu": None})
async def items(id: int, /, *, q: str = "x", **rest):
    """Tells items."""
    def inner():
        import torch
    if (n := 3): return {"a": n}
    match late:
        case [one, *two] | t.Three(four=five): return [lambda x=late: x for one in late]

api.post("/late")(items)  # toolkit: ignore[no-routes, missing-description]
@E()
class Model(Base, metaclass=M):
    def run(self, text): ...
    try:
        from . import sibling
    except ImportError: sibling = None
    with open("a") as f: pass
if __name__ == "__main__":
    late, del_me = 1, 2
del del_me
raise SystemExit
`;

const TOML = `[project]
name = "a"
[[tool.toolkit.endpoints]]
name = "b" # toolkit: ignore[unknown-cpu]
command = ["./b", """
c"""]
workers = [0, 2]
env.A = "1"
env."B" = 'x'
[[tool.toolkit.endpoints]]
name = "\u0063"
kind = "load-balanced"
command = [{ a = 1979-05-27 }]
[tool.toolkit.endpoints.env]
C = "2"
`;

/** Pieces that change the meaning of the surrounding text. */
const PIECES = [
  '(',
  ')',
  '[',
  '{',
  '}',
  '"',
  "'",
  '"""',
  '\\',
  '\n',
  '\n    ',
  '\r',
  '\0',
  '#',
  '@',
  ':',
  '=',
  ',',
  '.',
  '*',
  '**',
  'f"{',
  'def ',
  'class ',
  'import ',
  'Endpoint(',
  '\ud800',
  '𝒳',
  '\uFEFF',
];

const edit = fc.record({
  at: fc.nat(TEXT.length),
  remove: fc.oneof(fc.nat(3), fc.nat(80)),
  insert: fc.oneof(fc.constantFrom(...PIECES), fc.constant(''), fc.string({ maxLength: 8, unit: 'binary' })),
});

describe('any text', () => {
  it('is read without an exception, and equal texts give equal facts', async () => {
    const parser = await loadWasmParser();
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        let text = TEXT;
        for (const { at, remove, insert } of edits)
          text = text.slice(0, at) + insert + text.slice(at + remove);
        const facts = readFacts({ file: 'pkg/a.py', text }, parser);
        assert.deepEqual(
          JSON.parse(JSON.stringify(readFacts({ file: 'pkg/a.py', text }, parser))),
          JSON.parse(JSON.stringify(facts)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('of pyproject.toml is read, or refused in one sentence', async () => {
    const property = fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      let text = TOML;
      for (const { at, remove, insert } of edits) {
        const place = at % TOML.length;
        text = text.slice(0, place) + insert + text.slice(place + (remove % 20));
      }
      const root = writeProject({ 'pyproject.toml': text });
      await readProject({ root }).catch((error: Error & { code?: string }) =>
        assert.equal(error.code, 'PROJECT_CONFIG', error.stack),
      );
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('gives a reading of its project', async () => {
    const property = fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), async (edits) => {
      let text = TEXT;
      for (const { at, remove, insert } of edits) text = text.slice(0, at) + insert + text.slice(at + remove);
      const reading = await readProject({
        root: writeProject({
          'pkg/a.py': text,
          'b.py': 'from pkg.a import api\n@api.get("/b")\ndef b(): ...\n',
        }),
      });
      await reading.importsOf('pkg/a.py').catch((error: Error) => assert.equal(error.name, 'ToolkitError'));
    });
    await fc.assert(property, { numRuns: 100 });
  });
});
