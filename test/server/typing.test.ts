/**
 * Every request that an editor sends by itself, sent after each letter while a file is typed and while it is
 * deleted from its beginning. The end of the client asserts that nothing failed.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type {
  CodeLens,
  CompletionItem,
  CompletionList,
  Hover,
  InlayHint,
  Position,
  Range,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { atCursor, itemsOf } from './atCursor.ts';
import { LanguageClient } from './languageClient.ts';

const PROJECT = `=== lb.py
from toolkit_sdk import Endpoint
api = Endpoint(name="lb")
@api.get("/users/list")
def users(): ...
=== typed.py
‸`;

/** One of everything, with letters of two code units. */
const TYPED = `from toolkit_sdk import Endpoint  # 🎨
from lb import api
@Endpoint("🎨", gpu=G.X, workers=(0, 3), dependencies=["a"], env={"A": os.environ["A"]})
def one(x):
    """🎨"""
    from lb import users
    return users(f"🎨{x}")
@api.get("/a/{x}")
def two(x): ...  # toolkit: ignore[a]
`;

const TABLE = `[tool.toolkit]
quota = 12
[[tool.toolkit.endpoints]]
name = "🎨" # 🎨
command = ["./server", "🎨"]
workers = [0, 3]
dependencies = ["a"]
`;

describe('while a file is typed', () => {
  let client: LanguageClient;
  before(async () => {
    client = await LanguageClient.start({ folders: [], env: { TOOLKIT_PYTHON: '', VIRTUAL_ENV: '' } });
  });
  after(() => client.stop());

  for (const [kind, fixture, whole] of [
    ['Python', PROJECT, TYPED],
    ['pyproject.toml', '=== pyproject.toml\n‸', TABLE],
  ] as const) {
    it(`every request has a response whose positions are in the text (${kind})`, () =>
      atCursor(client, fixture, async ({ uri }) => {
        for (let end = 0; end <= whole.length; end += 1) await ask(client, uri, whole.slice(0, end), end);
        for (let start = 0; start <= whole.length; start += 3)
          await ask(client, uri, whole.slice(start), Math.min(3, whole.length - start));
      }));
  }
});

async function ask(client: LanguageClient, uri: string, text: string, offset: number): Promise<void> {
  await client.change(uri, { text });
  const document = TextDocument.create(uri, '', 1, text);
  const position = document.positionAt(offset);
  const range = { start: { line: 0, character: 0 }, end: document.positionAt(text.length) };
  const textDocument = { uri };
  const [offers, hover, , lenses, hints] = await Promise.all([
    client.request<CompletionList | CompletionItem[]>('textDocument/completion', { textDocument, position }),
    client.request<Hover | null>('textDocument/hover', { textDocument, position }),
    client.request('textDocument/signatureHelp', { textDocument, position }),
    client.request<CodeLens[]>('textDocument/codeLens', { textDocument }),
    client.request<InlayHint[]>('textDocument/inlayHint', { textDocument, range }),
  ]);
  const holds = (place: Position) => assert.deepEqual(document.positionAt(document.offsetAt(place)), place);
  const holdsRange = ({ start, end }: Range) => [start, end].forEach(holds);
  for (const { textEdit, additionalTextEdits } of itemsOf(offers)) {
    const own = 'range' in textEdit! ? textEdit.range : textEdit!.replace;
    assert.ok(own.start.line === position.line && own.end.line === position.line);
    assert.ok(own.start.character <= position.character && position.character <= own.end.character);
    holdsRange(own);
    for (const edit of additionalTextEdits ?? []) holdsRange(edit.range);
  }
  if (hover) holdsRange(hover.range!);
  for (const lens of lenses) holdsRange(lens.range);
  for (const hint of hints) holds(hint.position);
}
