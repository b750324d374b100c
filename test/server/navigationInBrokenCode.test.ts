/**
 * Every request about names, over stdio, while real projects are broken by random edits: each request gets a
 * response, no failure is reported, and no two edits of a rename overlap. The seed is printed.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Position,
  ResponseError,
  type TextDocumentEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { LAYOUTS } from '../layouts/all.ts';
import { filesOf } from '../layouts/layout.ts';
import { makeFolder, writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const EDITS = 120;
const PIECES = `
(
)
"
'''
:
@
*
=
    
def work(
@api.get("/x")
match work:
    case api:
global work
lambda api:
[api for api in
from a import *
import a as api
`.split(/(\n)/);

/** Requests about a position, and their other parameters. */
const REQUESTS: [method: string, more: object][] = [
  ['textDocument/definition', {}],
  ['textDocument/references', { context: { includeDeclaration: true } }],
  ['textDocument/documentHighlight', {}],
  ['textDocument/prepareRename', {}],
  ['textDocument/prepareCallHierarchy', {}],
  ['textDocument/documentSymbol', {}],
  ['textDocument/semanticTokens/full', {}],
];

/** Numbers that are always the same for a seed. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('navigation in broken code', () => {
  let client: LanguageClient;
  before(async () => {
    client = await LanguageClient.start({ folders: [] });
  });
  after(() => client.stop());

  it('responds to every request, and renames without edits that overlap', async (t) => {
    const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
    t.diagnostic(`TEST_SEED=${seed}`);
    const next = numbersFrom(seed);
    const layouts = LAYOUTS.filter((layout) => {
      const files = filesOf(layout);
      const isText = Object.values(files).every((content) => typeof content === 'string');
      return isText && !layout.links && Object.keys(files).some((file) => file.endsWith('.py'));
    });
    for (let done = 0; done < EDITS; done += 6) {
      const files = filesOf(layouts[next(layouts.length)]!) as Record<string, string>;
      const root = writeProject(files, makeFolder());
      await client.addFolder(root);
      const documents = Object.entries(files)
        .filter(([file]) => file.endsWith('.py'))
        .map(([file, text]) => TextDocument.create(uriOf(root, file), 'python', 0, text));
      for (const document of documents) await client.open(document.uri, document.getText());
      for (let edit = 0; edit < 6; edit += 1) {
        const document = documents[next(documents.length)]!;
        await change(document, next);
        const words = [...document.getText().matchAll(/\w+/g)];
        const word = words[next(Math.max(words.length, 1))];
        if (word) await ask(document, document.positionAt(word.index));
      }
      for (const { uri } of documents) await client.close(uri);
      await client.removeFolder(root);
    }
  });

  async function change(document: TextDocument, next: (below: number) => number): Promise<void> {
    const { length } = document.getText();
    const from = next(length + 1);
    const [start, end] = [from, Math.min(length, from + next(9))].map((at) => document.positionAt(at));
    const edit = { range: { start: start!, end: end! }, text: PIECES[next(PIECES.length)]! };
    TextDocument.update(document, [edit], document.version + 1);
    await client.change(document.uri, edit);
  }

  async function ask(document: TextDocument, position: Position): Promise<void> {
    const place = { textDocument: { uri: document.uri }, position };
    for (const [method, more] of REQUESTS) await client.request(method, { ...place, ...more });
    try {
      const edit = await client.request<WorkspaceEdit | null>('textDocument/rename', {
        ...place,
        newName: 'renamed_one',
      });
      for (const { edits } of (edit?.documentChanges ?? []) as TextDocumentEdit[]) {
        const ranges = edits.flatMap((one) => ('range' in one ? [one.range] : []));
        ranges.sort((a, b) => compare(a.start, b.start));
        for (const [at, range] of ranges.slice(1).entries()) {
          assert.ok(compare(ranges[at]!.end, range.start) <= 0, JSON.stringify(edits));
        }
      }
    } catch (error) {
      // The new name can be in use by now.
      assert.ok(error instanceof ResponseError && /renamed_one/.test(error.message), String(error));
    }
  }
});

function compare(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}
