/** Source lines with marks under a range, on terminals of every width. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { excerpt } from '../../runtime/cli/excerpt.ts';
import { textWidth } from '../../runtime/cli/textWidth.ts';

interface Case {
  title: string;
  text: string;
  /** Line and character of the start and of the end. */
  range: [number, number, number, number];
  columns?: number;
  expected: string[];
}

const long = `x = [${'1, '.repeat(200)}"wrong", ${'2, '.repeat(200)}]`;

const cases: Case[] = [
  {
    title: 'marks a range inside one line',
    text: 'a = 1\nb = wrong\n',
    range: [1, 4, 1, 9],
    expected: ['  2 | b = wrong', '    |     ^^^^^'],
  },
  {
    title: 'marks one cell for an empty range',
    text: 'f(\n',
    range: [0, 1, 0, 1],
    expected: ['  1 | f(', '    |  ^'],
  },
  {
    title: 'marks the cell after the end of a line',
    text: 'x = \nnext\n',
    range: [0, 4, 0, 4],
    expected: ['  1 | x =', '    |     ^'],
  },
  {
    title: 'marks the empty line after the last line',
    text: 'def f():\n',
    range: [1, 0, 1, 0],
    expected: ['  2 |', '    | ^'],
  },
  {
    title: 'expands tabs to multiples of four cells',
    text: '\ta\tb = wrong\n',
    range: [0, 7, 0, 12],
    expected: ['  1 |     a   b = wrong', '    |             ^^^^^'],
  },
  {
    title: 'counts two cells for East Asian characters',
    text: 'name = "漢字", cpu\n',
    range: [0, 7, 0, 11],
    expected: ['  1 | name = "漢字", cpu', '    |        ^^^^^^'],
  },
  {
    title: 'counts two cells for an emoji made of several code points',
    text: '"👩‍👩‍👧" + wrong\n',
    range: [0, 13, 0, 18],
    expected: ['  1 | "👩‍👩‍👧" + wrong', '    |        ^^^^^'],
  },
  {
    title: 'counts no cell for combining marks',
    text: '"e\u0301" + wrong\n',
    range: [0, 7, 0, 12],
    expected: ['  1 | "e\u0301" + wrong', '    |       ^^^^^'],
  },
  {
    title: 'shows control characters as symbols instead of sending them',
    text: '"\u001B[2J\u0007\u007F\u009B" + wrong\n',
    range: [0, 12, 0, 17],
    expected: ['  1 | "␛[2J␇␡�" + wrong', '    |             ^^^^^'],
  },
  {
    title: 'shows characters that reorder or hide text as symbols',
    text: 'a\u202Eb\u200Bc\u2028d\uD800 = wrong\n',
    range: [0, 11, 0, 16],
    expected: ['  1 | a�b�c�d� = wrong', '    |            ^^^^^'],
  },
  {
    title: 'drops the carriage return of a line end',
    text: 'a = wrong\r\nb\r\n',
    range: [0, 4, 0, 9],
    expected: ['  1 | a = wrong', '    |     ^^^^^'],
  },
  {
    title: 'marks both lines of a range over two lines',
    text: 'f(\n  1)\n',
    range: [0, 0, 1, 4],
    expected: ['  1 | f(', '    | ^^', '  2 |   1)', '    |   ^^'],
  },
  {
    title: 'shows the first and the last line of a longer range',
    text: 'f(\n  1,\n  2,\n)\n',
    range: [0, 0, 3, 1],
    expected: ['  1 | f(', '    | ^^', '  … |', '  4 | )', '    | ^'],
  },
  {
    title: 'ignores a last line in which the range covers no character',
    text: 'f(1)\ng(2)\n',
    range: [0, 0, 1, 0],
    expected: ['  1 | f(1)', '    | ^^^^'],
  },
  {
    title: 'shows nothing for a file that has become shorter',
    text: 'a\n',
    range: [7, 0, 7, 3],
    expected: [],
  },
  {
    title: 'cuts the end of a line that is too long',
    text: long,
    range: [0, 0, 0, 1],
    columns: 40,
    expected: ['  1 | x = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1…', '    | ^'],
  },
];

describe('excerpt', () => {
  for (const { title, text, range, columns = 80, expected } of cases) {
    it(title, () => {
      assert.deepEqual(drawn(text, range, columns), expected);
    });
  }

  for (const columns of [24, 80, 140]) {
    it(`cuts both ends of a line around the range at ${columns} columns`, () => {
      const at = long.indexOf('"wrong"');
      const [line, marks] = drawn(long, [0, at, 0, at + 7], columns);
      assert.match(line!, /^ {2}1 \| ….*"wrong".*…$/);
      assert.equal(line!.indexOf('"wrong"'), marks!.indexOf('^'));
      assert.match(marks!, /\| +\^{7}$/);
      assert.equal(textWidth(line!), columns);
    });

    it(`shows the start of a range that is wider than ${columns} columns`, () => {
      const [line, marks] = drawn(long, [0, 4, 0, long.length], columns);
      assert.match(line!, /\[1, /);
      assert.equal(line!.indexOf('['), marks!.indexOf('^'));
      assert.ok(textWidth(line!) <= columns && textWidth(marks!) <= columns);
    });

    it(`shows the end of a long line at ${columns} columns`, () => {
      const [line, marks] = drawn(long, [0, long.length - 1, 0, long.length], columns);
      assert.match(line!, /….*\]$/);
      assert.equal(line!.indexOf(']'), marks!.indexOf('^'));
      assert.ok(textWidth(line!) <= columns);
    });

    it(`cuts between two wide characters at ${columns} columns`, () => {
      const wide = `${'漢'.repeat(300)}x${'字'.repeat(300)}`;
      const [line, marks] = drawn(wide, [0, 300, 0, 301], columns);
      assert.equal(textWidth(line!.slice(0, line!.indexOf('x'))), marks!.indexOf('^'));
      assert.ok(textWidth(line!) <= columns);
    });
  }

  it('fits any text into any terminal, with marks and without control characters', () => {
    const character = fc.constantFrom(
      'a',
      ' ',
      '\t',
      '漢',
      'é',
      'e\u0301',
      '\u001B',
      '\u009B',
      '\u202E',
      '\uD800',
      '👩',
      '\r',
    );
    fc.assert(
      fc.property(
        fc.string({ unit: character, maxLength: 300 }),
        fc.nat(320),
        fc.nat(320),
        fc.integer({ min: 20, max: 200 }),
        (text, one, other, columns) => {
          const [from, to] = [Math.min(one, other), Math.max(one, other)];
          const [line, marks] = drawn(text, [0, from, 0, to], columns);
          assert.ok(textWidth(line!) <= columns && textWidth(marks!) <= columns);
          assert.match(marks!, /\^/);
          assert.doesNotMatch(`${line}${marks}`, /\p{Cc}|\p{Cs}|\u202E/u);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('does not measure all of a line of megabytes', () => {
    const line = `${'é'.repeat(4_000_000)}x`;
    const [shown, marks] = drawn(line, [0, 4_000_000, 0, 4_000_001], 80);
    assert.equal(shown!.indexOf('x'), marks!.indexOf('^'));
  });
});

function drawn(text: string, range: Case['range'], columns: number): string[] {
  const [line, character, endLine, endCharacter] = range;
  return excerpt(
    text.split('\n'),
    { start: { line, character }, end: { line: endLine, character: endCharacter } },
    { columns, digits: 1, mark: '^', paintMark: (marks) => marks },
  );
}
