/**
 * A large file is read between requests: no other request waits for it, and requests about it use its current
 * text.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { DocumentSymbol, Hover } from 'vscode-languageserver';
import { writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';

const SMALL = `from toolkit_sdk import Endpoint


@Endpoint(name="small")
def small(count: int):
    """Small."""
    return count
`;
const FUNCTIONS = Array.from(
  { length: 5_000 },
  (_, at) => `def function_${at}(first: int, second: str = "x") -> int:\n    return first + ${at}\n\n`,
);
const LARGE = `${FUNCTIONS.join('')}${SMALL.replaceAll('small', 'large')}`;
const LAST = LARGE.split('\n').length - 1;

describe('a large file that is open', () => {
  let client: LanguageClient;
  let root: string;
  before(async () => {
    root = writeProject({ 'small.py': SMALL, 'large.py': LARGE });
    client = await LanguageClient.start({ folders: [root] });
    await client.open(uriOf(root, 'small.py'), SMALL);
    await client.settled();
  });
  after(() => client.stop());

  const hover = (file: string, line: number) =>
    client.request<Hover | null>('textDocument/hover', {
      textDocument: { uri: uriOf(root, file) },
      position: { line, character: 2 },
    });

  it('does not delay a hover elsewhere while it is read', async () => {
    const answered: string[] = [];
    await client.open(uriOf(root, 'large.py'), LARGE);
    await Promise.all([
      hover('large.py', LAST - 4).then((found) => {
        assert.match(JSON.stringify(found), /large/);
        answered.push('large');
      }),
      hover('small.py', 3).then((found) => {
        assert.match(JSON.stringify(found), /small/);
        answered.push('small');
      }),
    ]);
    assert.deepEqual(answered, ['small', 'large']);
  });

  it('uses the text after the last edit', async () => {
    const start = { line: 0, character: 0 };
    for (const text of ['\n', '\n\n', 'x = 1\n'])
      await client.change(uriOf(root, 'large.py'), { range: { start, end: start }, text });
    const symbols = await client.request<DocumentSymbol[]>('textDocument/documentSymbol', {
      textDocument: { uri: uriOf(root, 'large.py') },
    });
    assert.equal(symbols[0]?.name, 'large');
    assert.deepEqual(symbols[0]?.range.start, { line: LAST - 4 + 4, character: 0 });
  });

  it('does not delay a hover elsewhere while its uses are searched', async () => {
    const uri = uriOf(root, 'large.py');
    const calls = FUNCTIONS.map((text) => text.replace('first + ', 'large(first) + '));
    await client.change(uri, { text: `${calls.join('')}${SMALL.replaceAll('small', 'large')}` });
    await client.settled();
    const position = { line: LAST - 3, character: 5 };
    const answered: string[] = [];
    await Promise.all([
      client
        .request<unknown[]>('textDocument/documentHighlight', { textDocument: { uri }, position })
        .then((found) => answered.push(`${found.length} highlights`)),
      hover('small.py', 3).then(() => answered.push('hover')),
    ]);
    assert.deepEqual(answered, ['hover', `${FUNCTIONS.length + 1} highlights`]);
  });

  it('is logged once as being read in slices', async () => {
    const uri = uriOf(root, 'large.py');
    await client.close(uri);
    await client.open(uri, LARGE);
    await client.settled();
    const logged = client.messages.splice(0);
    assert.equal(logged.length, 1);
    assert.match(logged[0]!, /read in slices/);
  });
});
