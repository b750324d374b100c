/** Inlay hints from the real server: the text as an editor shows it, with the hints in "⟨ ⟩". */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { InlayHint, Range } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { atCursor } from './atCursor.ts';
import { LanguageClient } from './languageClient.ts';

/** The lines of the text after the import, as shown. */
const CASES: [title: string, file: string, text: string, shown: string][] = [
  [
    'shows every default of an endpoint without arguments',
    'a.py',
    '@Endpoint()\ndef one(): ...',
    '@Endpoint(⟨gpu: ANY, workers: 0–3, idle 60 s⟩)\ndef one(): ...',
  ],
  [
    'shows only what is not given, and the quota after workers',
    'a.py',
    '@Endpoint(name="🎨", cpu="cpu5c-4-8", workers=(0, 4))\ndef one(): ...\n@Endpoint(workers=2, idle_timeout=5, gpu=G.ANY)\ndef two(): ...',
    '@Endpoint(name="🎨", cpu="cpu5c-4-8", workers=(0, 4)⟨6/30⟩⟨idle 60 s⟩)\ndef one(): ...\n@Endpoint(workers=2⟨6/30⟩, idle_timeout=5, gpu=G.ANY)\ndef two(): ...',
  ],
  [
    'is after a call of several lines',
    'a.py',
    'api = Endpoint(\n    name="api",\n    idle_timeout=5,\n)\n@api.get("/")\ndef one(): ...',
    'api = Endpoint(\n    name="api",\n    idle_timeout=5,\n)⟨gpu: ANY, workers: 0–3⟩\n@api.get("/")\ndef one(): ...',
  ],
  [
    'shows nothing for values known only at run time',
    'a.py',
    '@Endpoint(workers=G.workers, **G.rest)\ndef one(): ...',
    '@Endpoint(workers=G.workers, **G.rest)\ndef one(): ...',
  ],
  [
    'counts arguments in a dict as given',
    'a.py',
    'S = {"workers": 2, "cpu": "cpu5c-4-8"}\n@Endpoint("a", **S)\ndef one(): ...',
    'S = {"workers": 2, "cpu": "cpu5c-4-8"}\n@Endpoint("a", **S⟨idle 60 s⟩)\ndef one(): ...',
  ],
  [
    'shows the defaults of an endpoint in pyproject.toml',
    'pyproject.toml',
    '[[tool.toolkit.endpoints]]\nname = "a"\ncommand = ["x"]\nworkers = [0, 2]',
    '[[tool.toolkit.endpoints]]⟨gpu: ANY, idle 60 s⟩\nname = "a"\ncommand = ["x"]\nworkers = [0, 2]⟨2/30⟩',
  ],
];

const IMPORT = 'from toolkit_sdk import Endpoint, GpuGroup as G\n';

describe('inlay hints', () => {
  let client: LanguageClient;
  before(async () => {
    client = await LanguageClient.start({ folders: [] });
  });
  after(() => client.stop());

  for (const [title, file, body, shown] of CASES) {
    it(title, async () => {
      const text = `${file.endsWith('.py') ? IMPORT : ''}${body}\n`;
      const hints = await hintsIn(client, file, text, wholeOf(text));
      const document = TextDocument.create('', '', 1, text);
      const inserted = hints.map(({ position, label }) => ({
        range: { start: position, end: position },
        newText: `⟨${String(label)}⟩`,
      }));
      assert.equal(TextDocument.applyEdits(document, inserted), text.replace(body, shown));
    });
  }

  it('shows in its tooltip how much of the quota the endpoint uses', async () => {
    const text = `${IMPORT}@Endpoint(workers=(0, 40))\ndef one(): ...\n`;
    const [hint] = await hintsIn(client, 'a.py', text, wholeOf(text));
    assert.equal(hint?.tooltip, '40 of 30 workers; all endpoints together take 40, 10 over the quota.');
  });

  it('returns only the hints of the visible lines', async () => {
    const one = '@Endpoint(workers=1)\ndef one(): ...\n';
    const text = `${IMPORT}${one}${one.replace('one', 'two')}`;
    const range = { start: { line: 3, character: 0 }, end: { line: 4, character: 0 } };
    const hints = await hintsIn(client, 'a.py', text, range);
    assert.deepEqual(
      hints.map(({ position: { line }, label }) => [line, label]),
      [
        [3, '2/30'],
        [3, 'gpu: ANY, idle 60 s'],
      ],
    );
  });
});

function hintsIn(client: LanguageClient, file: string, text: string, range: Range): Promise<InlayHint[]> {
  return atCursor(client, `=== ${file}\n${text}‸`, async ({ uri }) => {
    const hints = await client.request<InlayHint[]>('textDocument/inlayHint', {
      textDocument: { uri },
      range,
    });
    return hints;
  });
}

function wholeOf(text: string): Range {
  return { start: { line: 0, character: 0 }, end: { line: text.split('\n').length, character: 0 } };
}
