import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SyntaxParser } from '../../runtime/source/syntax/SyntaxParser.ts';
import { ENGINES } from './engines.ts';
import { readFacts } from './readFacts.ts';
import { libraryTexts, ownTexts, type RealText } from './realTexts.ts';

/**
 * Texts that engines have read differently elsewhere: units of columns, chunks of input, ends of lines and of
 * files.
 */
const UNUSUAL: RealText[] = [
  '',
  '\n',
  '#',
  'x = "𝒳é"; Endpoint("é𝒳")\n',
  '\uFEFFfrom toolkit_sdk import Endpoint\nEndpoint("a")\n',
  'from toolkit_sdk import Endpoint\r\n\r\nEndpoint(\r\n  "a",\r\n)\r\n',
  'x = "\0"\nEndpoint("a")\n',
  'x = "\ud800"; Endpoint("a\udc00")\n',
  `# ${'𝒳'.repeat(20_000)}\nEndpoint("a")\n`,
  `x = [${'Endpoint("a"), '.repeat(3000)}]\n`,
  `${'if x:\n'.replaceAll('\n', '')}\n`,
  'def f(:\n    Endpoint("a")\nclass A:\n  Endpoint("b"\n\nEndpoint("c")\n',
  `${Array.from({ length: 99 }, (_, depth) => `${' '.repeat(depth)}if x:\n`).join('')}${' '.repeat(99)}Endpoint("a")\n`,
].map((text) => ({ title: JSON.stringify(text.slice(0, 40)), text }));

describe('every engine', () => {
  /** The first engine is the reference for the others. */
  async function check(texts: readonly RealText[]): Promise<void> {
    const [first, ...others] = await Promise.all(ENGINES.map(({ load }) => load()));
    for (const { title, text } of texts) {
      const facts = factsOf(text, first!);
      for (const other of others) assert.deepEqual(factsOf(text, other), facts, title);
    }
  }

  function factsOf(text: string, parser: SyntaxParser) {
    return readFacts({ file: 'pkg/a.py', text }, parser);
  }

  it('reads the same facts from the texts of the tests and templates', () => check(ownTexts()));
  it('reads the same facts from texts with unusual characters, lengths and depths', () => check(UNUSUAL));
  it('reads the same facts from the library of Python, including files that are not Python', () =>
    check(libraryTexts(25)));

  for (const { name, load } of ENGINES) {
    it(`gives nodes the rows of the ranges that contain them: ${name}`, async () => {
      const parser = await load();
      const first = 'x = "𝒳"\n';
      const second = 'def f():\n    return 1\n';
      const rangeOf = (startIndex: number, text: string, row: number) => ({
        startIndex,
        endIndex: startIndex + text.length,
        startPosition: { row, column: 0 },
        endPosition: { row: row + text.split('\n').length - 1, column: 0 },
      });
      const ranges = [rangeOf(0, first, 7), rangeOf(first.length, second, 90)];
      const tree = parser.parse(first + second, ranges);
      try {
        const [assignment, definition] = tree.rootNode.namedChildren;
        assert.deepEqual(assignment!.startPosition, { row: 7, column: 0 });
        assert.deepEqual([assignment!.startIndex, assignment!.endIndex], [0, first.length - 1]);
        assert.deepEqual(definition!.startPosition, { row: 90, column: 0 });
        assert.deepEqual(definition!.childForFieldName('body')!.endPosition, { row: 91, column: 12 });
        assert.equal(definition!.startIndex, first.length);
      } finally {
        tree.delete();
      }
    });
  }
});
