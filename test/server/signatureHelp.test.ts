/** Signature help from the real server: which argument is active in unfinished calls. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { MarkupContent, SignatureHelp } from 'vscode-languageserver';
import { SDK_TEXTS } from '../../server/features/sdkTexts.ts';
import { atCursor } from './atCursor.ts';
import { LanguageClient } from './languageClient.ts';

const SDK = path.join(import.meta.dirname, '../../runtime/python/toolkit_sdk');

/** A call in its own line → the active parameter, or null for no help. */
const CASES: [title: string, line: string, active: string | null][] = [
  ['begins with the name', '@Endpoint(‸)', 'name: str | None = None'],
  ['finds the name by its position', '@Endpoint("one‸', 'name: str | None = None'],
  ['continues with the first missing argument', '@Endpoint("x", ‸)', 'gpu: GpuGroup | GpuType | None = None'],
  [
    'finds an argument by its keyword',
    '@Endpoint(name="x", cpu="‸")',
    'cpu: str | CpuInstanceType | None = None',
  ],
  ['finds an argument by the start of its keyword', '@Endpoint(idle‸)', 'idle_timeout: int = 60'],
  [
    'stays in an argument inside its brackets',
    '@Endpoint(dependencies=["a", "‸',
    'dependencies: list[str] | tuple[str, ...] | None = None',
  ],
  [
    'finds workers inside their pair',
    'api = Endpoint(workers=(0, ‸',
    'workers: tuple[int, int] | int = (0, 3)',
  ],
  ['shows the path of a route', '@api.get(‸)', 'path: str'],
  ['shows the path of a route inside its string', '@api.post("/‸', 'path: str'],
  ['shows nothing in a call inside the call', '@Endpoint(str(‸', null],
  ['shows nothing in a call of something else', 'print(‸)', null],
  ['shows nothing for a route of something else', '@other.get(‸)', null],
];

describe('signature help', () => {
  let client: LanguageClient;
  before(async () => {
    client = await LanguageClient.start({ folders: [] });
  });
  after(() => client.stop());

  for (const [title, line, active] of CASES) {
    it(title, async () => {
      const help = await helpAt(client, line);
      if (active === null || help === null) return assert.equal(help, active);
      const [signature] = help.signatures;
      const parameter = signature!.parameters![help.activeParameter!]!;
      assert.equal(signature!.label.slice(...(parameter.label as [number, number])), active);
      assert.match((parameter.documentation as MarkupContent).value, /^[A-Z].+\.$/);
    });
  }

  it('shows the signature that toolkit_sdk has', async () => {
    const source = readFileSync(path.join(SDK, 'endpoint.py'), 'utf8');
    const declared = /def __init__\(\n\s*self,\n([^]*?)\n\s*\) -> None/.exec(source)![1]!;
    const parameters = declared.split('\n').map((line) => line.trim().replace(/,$/, ''));
    const help = await helpAt(client, '@Endpoint(‸)');
    assert.equal(help?.signatures[0]?.label, `Endpoint(${parameters.join(', ')})`);
  });

  it('names what toolkit_sdk exports', () => {
    const source = readFileSync(path.join(SDK, '__init__.py'), 'utf8');
    const exported = [.../__all__ = \[([^\]]*)\]/.exec(source)![1]!.matchAll(/"(\w+)"/g)].map(
      ([, name]) => name,
    );
    assert.deepEqual(
      Object.keys(SDK_TEXTS).toSorted(),
      exported.filter((name) => name !== '__version__').toSorted(),
    );
  });
});

function helpAt(client: LanguageClient, line: string): Promise<SignatureHelp | null> {
  const fixture = `=== a.py
from toolkit_sdk import Endpoint
api = Endpoint(name="api")
${line}
def one(): ...
`;
  return atCursor(client, fixture, ({ uri, position }) =>
    client.request('textDocument/signatureHelp', { textDocument: { uri }, position }),
  );
}
