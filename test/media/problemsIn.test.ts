/** Problems that the API explorer finds in a JSON text by the schema of its value. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problemsIn } from '../../media/schema/problemsIn.ts';
import type { JsonSchema } from '../../runtime/contract/inputSchema.ts';

const BOOK: JsonSchema = {
  type: 'object',
  title: 'Book',
  properties: {
    title: { type: 'string', minLength: 2 },
    sequel: { anyOf: [{ $ref: '#/$defs/Book' }, { type: 'null' }] },
  },
  required: ['title'],
};

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    count: { type: 'integer', minimum: 1, exclusiveMaximum: 10 },
    ratio: { type: 'number' },
    unit: { type: 'string', enum: ['m', 'km'] },
    data: { type: 'string', contentEncoding: 'base64' },
    name: { type: 'string', pattern: '^a', maxLength: 3 },
    pair: {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'integer' }],
      items: false,
      minItems: 2,
      maxItems: 2,
    },
    scores: { type: 'object', additionalProperties: { type: 'number' } },
    book: { $ref: '#/$defs/Book' },
    anything: {},
    maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  },
  required: ['count'],
  additionalProperties: false,
  $defs: { Book: BOOK },
};

/** A text, and the problems at the marked positions. */
const TEXTS: [text: string, problems: [marked: string, message: string][]][] = [
  ['{"count": 1}', []],
  ['{"count": 1, "ratio": 2, "unit": "km", "data": "aGk=", "name": "aé", "pair": ["a", 1]}', []],
  ['{"count": 1, "scores": {"x": 1.5}, "anything": [{}], "maybe": null}', []],
  ['{"count": 1, "book": {"title": "ab", "sequel": {"title": "cd", "sequel": null}}}', []],
  ['{}', [['{', 'The input is missing "count".']]],
  ['[]', [['[]', 'The input must be an object.']]],
  ['{"count": "1"}', [['"1"', '"count" must be an integer.']]],
  ['{"count": 1.5}', [['1.5', '"count" must be an integer.']]],
  ['{"count": 0}', [['0', '"count" must be at least 1.']]],
  ['{"count": 10}', [['10', '"count" must be below 10.']]],
  ['{"count": 1, "cuont": 1}', [['"cuont"', '"cuont" is not expected here.']]],
  ['{"count": 1, "unit": "cm"}', [['"cm"', '"unit" must be one of "m", "km".']]],
  ['{"count": 1, "data": "a b"}', [['"a b"', '"data" must be base64 text.']]],
  ['{"count": 1, "name": "b"}', [['"b"', '"name" must match ^a.']]],
  ['{"count": 1, "name": "abcd"}', [['"abcd"', '"name" must have at most 3 characters.']]],
  ['{"count": 1, "pair": ["a"]}', [['["a"]', '"pair" must have at least 2 items.']]],
  ['{"count": 1, "pair": ["a", "b"]}', [['"b"', 'Item 2 of "pair" must be an integer.']]],
  ['{"count": 1, "scores": {"x": "y"}}', [['"y"', '"x" must be a number.']]],
  ['{"count": 1, "maybe": "x"}', [['"x"', '"maybe" must be integer or null.']]],
  ['{"count": 1, "book": 5}', [['5', '"book" must be Book.']]],
  ['{"count": 1, "book": {"title": "ab", "sequel": {}}}', [['{', '"sequel" is missing "title".']]],
  ['{"count": 1, "book": {"title": "a"}}', [['"a"', '"title" must have at least 2 characters.']]],
];

/** Texts that are not JSON, and the position of the single problem. */
const BROKEN: [text: string, marked: string, message: string][] = [
  ['', '', 'Enter a JSON value.'],
  ['{"count": 1', '', 'The closing brace is missing.'],
  ['{"count": }', '}', 'Expected a value.'],
  ['{"count": 1,}', '}', 'Expected a name in double quotes.'],
  ["{'count': 1}", "'count'", 'This is not a JSON value.'],
  ['{"count": 1 "unit": "m"}', '"unit"', 'Expected a comma.'],
  ['{"count": 1} 2', '2', 'Unexpected text after the value.'],
  ['// no\n{"count": 1}', '// no', 'JSON does not allow comments.'],
];

describe('problems in a JSON text', () => {
  for (const [text, problems] of TEXTS)
    it(`finds ${problems.length === 0 ? 'none' : 'what is wrong'} in ${text}`, () => {
      assert.deepEqual(
        problemsIn(text, SCHEMA).map(({ from, to, message }) => [text.slice(from, to), message]),
        problems,
      );
    });

  for (const [text, marked, message] of BROKEN)
    it(`reports why ${JSON.stringify(text)} is not JSON`, () => {
      const [found, ...more] = problemsIn(text, SCHEMA);
      assert.deepEqual(more, []);
      assert.ok(found?.isSyntax);
      assert.deepEqual([text.slice(found.from, found.to), found.message], [marked, message]);
    });

  it('ignores patterns that only Python can evaluate', () => {
    assert.deepEqual(problemsIn('"x"', { type: 'string', pattern: '(?P<a>x)(?(a)y|z)' }), []);
  });
});
