import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boolean, dictionary, assert as holds, jsonValue, property, string } from 'fast-check';
import { valueText } from '../../runtime/platform/jobs/jsonText.ts';

const check = (title: string, json: string, expected: string | null) =>
  test(title, () => assert.equal(valueText(json, 'input'), expected));

check(
  'keeps the digits of large numbers',
  '{"input":{"id":12345678901234567890}}',
  '{"id":12345678901234567890}',
);
check('keeps a float a float', '{"input": {"x": 1.0} }', '{"x": 1.0}');
check('finds the value after others', '{"a":[1,{"input":2}],"b":"}","input":{"c":[]}}', '{"c":[]}');
check('takes the last of a repeated key', '{"input":1,"input":{}}', '{}');
check('knows an escaped key', '{"in\\u0070ut":true}', 'true');
check('is not misled by a value that looks like the key', '{"a":"input","b":1}', null);
check('is not misled by quotes and backslashes in strings', '{"a":"\\\\\\"","input":"\\\\"}', '"\\\\"');
check('tells an empty object nothing', '{}', null);

test('agrees with JSON.parse on any object', () => {
  holds(
    property(dictionary(string(), jsonValue()), jsonValue(), boolean(), (others, value, pretty) => {
      const json = JSON.stringify({ ...others, input: value }, null, pretty ? 2 : 0);
      assert.deepEqual(JSON.parse(valueText(json, 'input') ?? 'missing'), JSON.parse(JSON.stringify(value)));
    }),
  );
});
