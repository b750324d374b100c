/** Tokens and cursors of any text: they never fail, lose nothing, and agree with Python's own tokens. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { positionAt } from '../../runtime/source/syntax/lineEnds.ts';
import { callArguments } from '../../server/features/callArguments.ts';
import { cursorAt } from '../../server/features/cursor.ts';
import { functionBelow } from '../../server/features/functionBelow.ts';
import { offsetAt } from '../../server/features/textPlaces.ts';
import { tokensOf } from '../../server/features/tokens.ts';

/** Pieces of Python for unfinished code, combined with any characters. */
const PIECES = [
  ...'@()[]{},=.:; \t\f\n\r\\#"\'',
  'Endpoint',
  '    ',
  '\r\n',
  '\\\n',
  '"""',
  "'''",
  'f"',
  "rb'",
  'def ',
  'class ',
  'import ',
  'from ',
  'workers',
  '1.5e-3',
  '𝒳',
  '🎨',
  '\uD83C',
  '\uFEFF',
  '\0',
  '{x!r:>{w}}',
];
const PIECE = fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 5 }));
const TEXT = fc.array(PIECE, { maxLength: 60 }).map((pieces) => pieces.join(''));

describe('tokens', () => {
  it('cover any text without a gap or an overlap, except spaces', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        let at = 0;
        for (const token of tokensOf(text)) {
          assert.ok(token.start >= at && token.end > token.start && token.end <= text.length);
          assert.match(text.slice(at, token.start), /^(?:[ \t\f\uFEFF]|\\\r?\n)*$/);
          if (token.kind === 'string')
            assert.ok(token.start < token.contentStart && token.contentEnd <= token.end);
          at = token.end;
        }
        assert.match(text.slice(at), /^(?:[ \t\f\uFEFF]|\\\r?\n)*$/);
      }),
      { numRuns: 500 },
    );
  });

  for (const [text, expected] of [
    ['a = b"x" + F\'y\'', ['a', '=', 'b"x"', '+', "F'y'"]],
    ['"""a\n"b" """+1', ['"""a\n"b" """', '+', '1']],
    ['"a\\"b" "c\nd"', ['"a\\"b"', '"c', '\n', 'd', '"']],
    ['x = "a\\\nb" # "c', ['x', '=', '"a\\\nb"', '# "c']],
    ['1.5e-3 .5 x.y', ['1.5e-3', '.5', 'x', '.', 'y']],
  ] as const) {
    it(`equal those of Python in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(
        tokensOf(text).map(({ start, end }) => text.slice(start, end)),
        expected,
      );
    });
  }
});

describe('cursor', () => {
  it('can be read anywhere in any text', () => {
    fc.assert(
      fc.property(TEXT, fc.nat(), (text, nat) => {
        const offset = nat % (text.length + 1);
        const position = positionAt(text, offset);
        assert.equal(offsetAt(text, position), offset);
        const cursor = cursorAt(text, position);
        assert.ok(cursor.word.start <= offset && offset <= cursor.word.end);
        for (const bracket of cursor.brackets) callArguments(cursor, bracket);
        functionBelow(text, offset);
      }),
      { numRuns: 500 },
    );
  });

  for (const [title, text, expected] of [
    ['finds the call around it', 'x = 1\n@api.get(path="‸', { calls: ['@api.get'], blocks: [] }],
    ['leaves an unclosed call at the next statement', 'a(b[\ndef f():\n  x‸', { calls: [], blocks: ['f'] }],
    ['stays in a call over several lines', 'a(\n\n  b=[1,\n‸', { calls: ['a', ''], blocks: [] }],
    [
      'finds the functions around it',
      'class A:\n  def f(self):\n    def g():\n      pass\n    ‸',
      { calls: [], blocks: ['A', 'f'] },
    ],
    ['is not inside a one-line function below it', 'def f(): return ‸', { calls: [], blocks: [] }],
    ['is not misled by code inside a string', '"""\ndef f():\n  a(\n"""\nb(‸', { calls: ['b'], blocks: [] }],
    [
      'finds the function after a docstring without indentation',
      'def f():\n  """\nclass A:\n"""\n  a(‸',
      { calls: ['a'], blocks: ['f'] },
    ],
    ['is not misled by a bracket in a comment', 'def f():\n  # a(\n  b = [‸', { calls: [''], blocks: ['f'] }],
  ] as const) {
    it(title, () => {
      const offset = text.indexOf('‸');
      const cursor = cursorAt(text.replace('‸', ''), positionAt(text, offset));
      assert.deepEqual(
        {
          calls: cursor.brackets.map(({ callee, decorates }) => `${decorates ? '@' : ''}${callee.join('.')}`),
          blocks: cursor.blocks.map(({ name }) => name),
        },
        expected,
      );
    });
  }

  it('is in nothing after a very long statement', () => {
    const text = `x = a(${'1, '.repeat(50_000)}`;
    assert.deepEqual(cursorAt(text, positionAt(text, text.length)).brackets, []);
  });

  it('finds the call after thousands of strings with unbalanced quotes', () => {
    const text = `x = "'''"\n${'y = """a"""\n'.repeat(2_000)}def f():\n  a(`;
    const { brackets, blocks } = cursorAt(text, positionAt(text, text.length));
    assert.deepEqual(
      [brackets.map(({ callee }) => callee), blocks.map(({ name }) => name)],
      [[['a']], ['f']],
    );
  });
});
