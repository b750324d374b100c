/** Requests for files that are not open use the text on disk. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { DocumentSymbol, Hover, Location, LocationLink } from 'vscode-languageserver';
import { writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const GPU = `from toolkit_sdk import Endpoint


@Endpoint(name="gpu")
def resize(image):
    """Makes it small."""
    return image
`;
const CALLER = `from toolkit_sdk import Endpoint


@Endpoint(name="caller")
def call(image):
    """Calls it."""
    from gpu import resize
    return resize(image)
`;
const CALL = { line: 7, character: 13 };
const NAME = { start: { line: 4, character: 4 }, end: { line: 4, character: 10 } };

describe('a file that is not open', () => {
  let client: LanguageClient;
  let root: string;
  before(async () => {
    root = writeProject({ 'gpu.py': GPU, 'caller.py': CALLER, 'plain.py': 'x = 1\n' });
    client = await LanguageClient.start({ folders: [root] });
  });
  after(() => client.stop());

  const ask = <Answer>(method: string, file: string, more: object = {}) =>
    client.request<Answer>(method, { textDocument: { uri: uriOf(root, file) }, position: CALL, ...more });

  it('has definitions', async () => {
    const found = await ask<LocationLink[]>('textDocument/definition', 'caller.py');
    assert.deepEqual(
      found.map(({ targetUri, targetRange }) => [targetUri, targetRange]),
      [[uriOf(root, 'gpu.py'), NAME]],
    );
  });

  it('has references', async () => {
    const found = await ask<Location[]>('textDocument/references', 'gpu.py', {
      position: NAME.start,
      context: { includeDeclaration: true },
    });
    assert.deepEqual(
      found.map(({ uri, range }) => [path.basename(uri), range.start.line]),
      [
        ['caller.py', 6],
        ['caller.py', 7],
        ['gpu.py', 4],
      ],
    );
  });

  it('has a hover of a peer, and symbols', async () => {
    const hover = await ask<Hover>('textDocument/hover', 'caller.py');
    assert.match(JSON.stringify(hover.contents), /runs on \*\*`gpu`\*\*, not in this worker/);
    const symbols = await ask<DocumentSymbol[]>('textDocument/documentSymbol', 'gpu.py');
    assert.deepEqual(
      symbols.map(({ name }) => name),
      ['gpu'],
    );
  });

  it('has its new text once the server knows of the change on disk', async () => {
    writeFileSync(path.join(root, 'gpu.py'), `# moved\n${GPU}`);
    await client.changedOnDisk(['changed', path.join(root, 'gpu.py')]);
    const [found] = await ask<LocationLink[]>('textDocument/definition', 'caller.py');
    assert.equal(found?.targetRange.start.line, 5);
  });

  it('gets no result where there is nothing of an endpoint, or no file', async () => {
    assert.equal(await ask('textDocument/definition', 'plain.py'), null);
    assert.equal(await ask('textDocument/definition', 'gone.py'), null);
    assert.equal(await ask('textDocument/hover', 'gone.py'), null);
  });
});
