import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  array,
  constantFrom,
  assert as holds,
  integer,
  jsonValue,
  nat,
  oneof,
  property,
  string,
  tuple,
} from 'fast-check';
import { type JsonPart, JsonScanner, type Shape } from '../../runtime/platform/json/scanner.ts';

const INPUT: Shape = { members: new Map([['input', {}]]) };
const ITEMS: Shape = { members: new Map([['items', { items: INPUT, most: 3, apart: true }]]) };

/** Reads a text in pieces of the given size. */
function scan(
  text: string,
  shape: Shape,
  piece = Number.POSITIVE_INFINITY,
): { root: JsonPart; bytes: Buffer } {
  const bytes = Buffer.from(text);
  const scanner = new JsonScanner(shape);
  for (let at = 0; at < bytes.length; at += Math.min(piece, bytes.length))
    scanner.push(bytes.subarray(at, Math.min(at + piece, bytes.length)));
  return { root: scanner.end(), bytes };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The text of the member `input` of an object; null without one. */
function inputOf(text: string, piece?: number): string | null {
  const { root, bytes } = scan(text, INPUT, piece);
  const part = root.members?.get('input');
  return part ? bytes.toString('utf8', part.start, part.end) : null;
}

const check = (title: string, json: string, expected: string | null) =>
  test(title, () => {
    assert.equal(inputOf(json), expected);
    assert.equal(inputOf(json, 1), expected);
  });

check(
  'keeps the digits of a large number',
  '{"input":{"id":12345678901234567890}}',
  '{"id":12345678901234567890}',
);
check('keeps a float a float', '{"input": {"x": 1.0} }', '{"x": 1.0}');
check('finds the value after other members', '{"a":[1,{"input":2}],"b":"}","input":{"c":[]}}', '{"c":[]}');
check('takes the last value of a repeated name', '{"input":1,"input":{}}', '{}');
check('recognizes an escaped name', '{"in\\u0070ut":true}', 'true');
check('is not misled by a value that looks like the name', '{"a":"input","b":1}', null);
check('is not misled by quotes and backslashes in strings', '{"a":"\\\\\\"","input":"\\\\"}', '"\\\\"');
check('ends a number at a space, and includes no space in the value', '{"input" : -1.5e+7 }', '-1.5e+7');
check('ignores names that JavaScript objects inherit', '{"constructor":1,"__proto__":2}', null);
check('finds nothing in an empty object', '{}', null);

test('accepts what JSON.parse accepts, whatever the size of the pieces', () => {
  const spaced = tuple(jsonValue(), constantFrom(0, 1, '\t', ' \n')).map(([value, space]) =>
    JSON.stringify({ input: value }, null, space),
  );
  holds(
    property(spaced, integer({ min: 1, max: 9 }), (json, piece) => {
      assert.deepEqual(JSON.parse(inputOf(json, piece) ?? ''), JSON.parse(json).input);
      assert.equal(scan(json, INPUT, piece).root.broken, false);
    }),
  );
});

test('refuses what JSON.parse refuses', () => {
  const marks = ['{', '}', '[', ']', ',', ':', '"', '\\', ' ', '\n', '\u0001', '\u00a0', '\ufeff'];
  const strings = ['"a":', '"é😀"', '\\u00e9', '\\u00g0', '\\x'];
  const words = ['true', 'false', 'null', 'nul', 'NaN', '0', '-', '01', '1.', '.5', '1e', '1e-7', '+1', '12'];
  const tokens = constantFrom(...marks, ...strings, ...words);
  holds(
    property(array(tokens, { maxLength: 12 }), integer({ min: 1, max: 4 }), (parts, piece) => {
      const text = parts.join('');
      assert.equal(scan(text, INPUT, piece).root.broken, !isJson(text));
    }),
    { numRuns: 20_000 },
  );
  const damaged = tuple(jsonValue(), nat(), oneof(string({ maxLength: 2 }), tokens)).map(
    ([value, at, by]) => {
      const text = JSON.stringify({ items: value });
      const place = at % (text.length + 1);
      return text.slice(0, place) + by + text.slice(place + (at % 2));
    },
  );
  holds(
    property(damaged, integer({ min: 1, max: 9 }), (text, piece) => {
      assert.equal(scan(text, INPUT, piece).root.broken, !isJson(text.toWellFormed()));
    }),
    { numRuns: 5_000 },
  );
});

test('refuses unfinished text, and text after the value', () => {
  for (const text of ['', ' ', '{', '{"input":', '[1', '"a', '{} {}', '1 2', 'tru', '-'])
    assert.equal(scan(text, INPUT).root.broken, true, text);
});

test('reads nested brackets of any depth', () => {
  const depth = 1_000_000;
  assert.equal(scan(`${'['.repeat(depth)}${']'.repeat(depth)}`, INPUT, 65_536).root.broken, false);
  assert.equal(scan(`${'['.repeat(depth)}${']'.repeat(depth - 1)}}`, INPUT, 65_536).root.broken, true);
});

/** The inputs of a list's items, `!` for a broken item; `broken` when the whole list is. */
function items(list: string, piece?: number): string[] | 'broken' {
  const { root, bytes } = scan(`{"items":[${list}]}`, ITEMS, piece);
  if (root.broken) return 'broken';
  return (root.members?.get('items')?.items ?? []).map(({ broken, members }) => {
    const input = members?.get('input');
    if (broken) return '!';
    return input ? bytes.toString('utf8', input.start, input.end) : '-';
  });
}

test('an item that is not JSON does not affect the others', () => {
  const good = '{"input":1}';
  for (const [bad, piece] of [
    ['NaN', 1],
    ['{"input":NaN}', 2],
    ['{"input":Infinity,"x":[1,{"y":"],"}]}', 3],
    ['{"input":"\\x , ] \\" }"}', 1],
    ['{"input":"\n"}', 5],
    ['{"input":01}', 4],
    ['{input:1}', 1],
    ["{'input':1}", 1],
    ['{"input":1,}', 2],
    ['{"a":{"b":tru},"input":1}', 3],
    ['{"input":1} 2', 1],
    ['', 1],
  ] as const)
    assert.deepEqual(items(`${good},${bad},${good}`, piece), ['1', '!', '1'], bad);
  assert.deepEqual(items(`${good},{"input":[}`), 'broken');
  assert.deepEqual(items(`${good},"no end`), 'broken');
  assert.deepEqual(items(good), ['1']);
  assert.deepEqual(items(''), []);
});

test('records only the requested number of items, but checks them all', () => {
  assert.deepEqual(items('1,2,3,4,5'), ['-', '-', '-']);
  assert.deepEqual(items('1,2,3,4,x'), ['-', '-', '-']);
  assert.deepEqual(items('1,2,3,4,"'), 'broken');
});
