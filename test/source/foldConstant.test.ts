/**
 * Random constant expressions, evaluated by Python and by the reader: the values are equal, or the reader's
 * is dynamic.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Constant } from '../../runtime/source/declarations/Constant.ts';
import { foldConstant } from '../../runtime/source/declarations/foldConstant.ts';
import { ModuleTable } from '../../runtime/source/declarations/ModuleTable.ts';
import { NameResolver } from '../../runtime/source/declarations/NameResolver.ts';
import { runSteps } from '../../runtime/source/steps.ts';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';
import { readFacts } from './readFacts.ts';

const python = fileURLToPath(new URL('../../.venv/bin/python', import.meta.url));

const EXPRESSIONS = 6_000;

/**
 * Operations that can drop a part of a value. If Python refuses the dropped part, the reader's value can be
 * anything.
 */
const LEAVES_OUT = /\* (?:0|-1|\()|len\(|list\(|[\])}\w]\[|\*\*|dict\(|\||"name"|%\(/;

const HEADER = `
import enum
from enum import Enum, IntEnum, unique
from typing import Final
COUNT: Final = 3
RATE: Final[float] = 2.5
NAME = "api"
PAIR = (1, "b")
NAMES = ["x", 'it\\'s', "y"]
BASE = dict(gpu=1, name="base")
MORE = {"name": "more", 2: NAME, **BASE}
@unique
class Size(Enum):
    SMALL = 1
    BIG = "big"
    PAIR = (1, 2)
class Level(IntEnum):
    LOW = 2
    SAME = LOW
    HIGH = LOW * 5
class Text(str, enum.Enum):
    A = "a"
    B = "b" + A
class Odd(Enum):
    def __init__(self, value): self._value_ = 7
class Derived(Odd):
    A = 1
    B = 2
class Mine(str, Enum):
    def __str__(self): return "mine"
class Theirs(Mine):
    A = "theirs"
class Number(int, Enum):
    ONE = 1
    TWO = ONE + 1
`;

const EVALUATE = `
import json, sys, enum
text = json.load(sys.stdin)
space = {}
exec(text["header"], space)

def describe(value):
    if isinstance(value, enum.Enum) and not isinstance(value, (str, int)): return ["other"]
    if value is None: return ["none"]
    if isinstance(value, bool): return ["boolean", value]
    if isinstance(value, str): return ["string", str.__str__(value)]
    if isinstance(value, int): return ["integer", int.__repr__(value)]
    if isinstance(value, float): return ["float", value.hex()]
    if isinstance(value, (list, tuple)): return [type(value).__name__, [describe(one) for one in value]]
    if isinstance(value, dict): return ["dict", [[describe(key), describe(one)] for key, one in value.items()]]
    return ["other"]

def evaluate(expression):
    try:
        return describe(eval(expression, dict(space)))
    except Exception as error:
        return ["error", type(error).__name__]

import warnings
warnings.simplefilter("ignore")
json.dump([evaluate(one) for one in text["expressions"]], sys.stdout)
`;

type Value = [type: string, value?: unknown];

/** A constant in the format of the program above; null if any part is dynamic. */
function valueOf(constant: Constant): Value | null {
  switch (constant.type) {
    case 'none':
      return ['none'];
    case 'string':
    case 'boolean':
      return [constant.type, constant.value];
    case 'integer':
      assert.ok(!Object.is(constant.value, -0), 'an integer has no negative zero');
      return ['integer', String(constant.value)];
    case 'float':
      return ['float', constant.value];
    case 'list':
    case 'tuple': {
      const items = constant.items.map(valueOf);
      return items.includes(null) ? null : [constant.type, items];
    }
    case 'dict': {
      const entries = constant.entries.map(({ key, value }) => [valueOf(key), valueOf(value)]);
      return entries.flat().includes(null) ? null : ['dict', entries];
    }
    default:
      return null;
  }
}

/** Python's floats are compared bit by bit. */
function withFloats([type, value]: Value): Value {
  if (type === 'float') return [type, fromHex(String(value))];
  if (type === 'list' || type === 'tuple') return [type, (value as Value[]).map(withFloats)];
  if (type !== 'dict') return value === undefined ? [type] : [type, value];
  return [type, (value as [Value, Value][]).map((entry) => entry.map(withFloats))];
}

function fromHex(text: string): number {
  const [, sign, whole, part, exponent] = /^(-?)0x(\d)\.([0-9a-f]*)p([-+]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return Number.NaN;
  const fraction = Number.parseInt(part || '0', 16) / 16 ** part!.length;
  const value = (Number(whole) + fraction) * 2 ** Number(exponent);
  return sign ? -value : value;
}

const NUMBERS =
  `0 1 2 7 -3 60 3600 0x1F 1_000 True False 9007199254740991 0.5 2.5 -0.0 1e16 1e-5 0.1 123456.789 1e22
COUNT RATE Size.SMALL.value Level.HIGH Level.SAME.value BASE["gpu"] PAIR[0] Derived.A.value Derived.B.value
Level["LOW"].value Number.ONE Number.TWO.value`.split(/\s/);

const TEXTS =
  String.raw`"a" 'b' "v-" "" NAME NAMES[1] MORE["name"] Size.BIG.value Size.BIG.name Text.A Text.B.value Text.A.name
Level.SAME.name Text["A"].value "é😀" "\n" Theirs.A Theirs.A.value Size["SMALL"].name "x""y"`.split(/\s/);

/** Writes expressions, most of which have a value. */
class Writer {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  #below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  #one<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)]!;
  }

  any(depth = 3): string {
    return this.#one([this.number, this.number, this.text, this.text, this.list, this.dict, this.odd]).call(
      this,
      depth,
    );
  }

  number(depth: number): string {
    if (depth === 0 || this.#below(4) === 0) return this.#one(NUMBERS);
    const [a, b] = [this.number(depth - 1), this.number(depth - 1)];
    return this.#one([
      `${a} ${this.#one(['+', '-', '*', '/', '//', '%'])} ${b}`,
      `(${a}) ${this.#one(['+', '-', '*', '/', '//', '%', '**'])} ${this.#one(['2', '3', '-1', '0', '10', 'COUNT'])}`,
      `(${a})`,
      `-(${a})`,
      `-${a}`,
      `int(${this.#one([a, '"12"', '" -7 "', '"1_0"', '"x"', '"0x1"', this.text(depth - 1)])})`,
      `${this.#one(['max', 'min'])}(${a}, ${b})`,
      `${this.#one(['max', 'min', 'len'])}(${this.list(depth - 1)})`,
      `len(${this.text(depth - 1)})`,
    ]);
  }

  text(depth: number): string {
    if (depth === 0 || this.#below(4) === 0) return this.#one(TEXTS);
    const [a, b] = [this.any(depth - 1), this.text(depth - 1)];
    const spec = this.#one([
      '',
      '',
      ':5',
      ':<4',
      ':*^9',
      ':03d',
      ':d',
      ':.2f',
      ':08.3f',
      ':>6s',
      ':.1',
      ':x',
    ]);
    const conversion = this.#one(['', '', '', '!r', '!s', '!a']);
    const flag = this.#one(['', '', '5', '-6', '03', '.2', '-05', '+']);
    const type = this.#one(['s', 's', 'd', 'r', 'f', 'i', 'x', '%']);
    return this.#one([
      `${b} + ${this.text(depth - 1)}`,
      `${b} * ${this.#one(['2', '0', '-1', 'True', 'COUNT'])}`,
      `f"<{(${a.replaceAll('"', "'").replaceAll('\\', '')})${conversion}${spec}}>"`,
      `"{}-{}".format(${a}, ${b})`,
      `"{0${conversion}${spec}}{{}}{x}".format(${a}, x=${b})`,
      `"%${flag}${type}" % (${a},)`,
      `"%${flag}${type}" % ${this.number(depth - 1)}`,
      `"%s/%s" % (${a}, ${b})`,
      `"%(name)s" % ${this.dict(depth - 1)}`,
      `str(${a})`,
      `(${b})`,
      `${this.dict(depth - 1)}["name"]`,
      `${this.list(depth - 1)}[${this.#one(['0', '-1', '1', '5'])}]`,
    ]);
  }

  list(depth: number): string {
    if (depth === 0) return this.#one(['NAMES', 'PAIR', '[]', '()', '[1, 2]', '(3,)']);
    const [a, b] = [this.any(depth - 1), this.list(depth - 1)];
    return this.#one([
      `[${a}, ${this.any(depth - 1)}]`,
      `(${a}, *${b})`,
      `${b} + ${this.list(depth - 1)}`,
      `${b} * ${this.#one(['2', '0', '-1'])}`,
      `tuple(${b})`,
      `list((${a}, ${a}))`,
      `list(${this.dict(depth - 1)})`,
    ]);
  }

  dict(depth: number): string {
    if (depth === 0)
      return this.#one(['BASE', 'MORE', '{}', 'dict()', '{"name": 1}', '{1: 2, True: 3, 1.0: 4}']);
    const [a, b] = [this.any(depth - 1), this.dict(depth - 1)];
    return this.#one([
      `dict(name=${a}, gpu=2)`,
      `dict(${b}, name=${a})`,
      `dict(**${b})`,
      `{**${b}, "name": ${a}}`,
      `{${a}: 1, **${b}}`,
      `(${b} | ${this.dict(depth - 1)})`,
      `dict([("name", ${a}), (2, 3)])`,
    ]);
  }

  odd(): string {
    return this.#one([
      'None',
      'Size.SMALL',
      '{1, 2}',
      'Size',
      'UNKNOWN',
      'len',
      '[1][0:1]',
      'not 1',
      '1 < 2',
    ]);
  }
}

async function fold(header: string, expressions: readonly string[]): Promise<Constant[]> {
  const parser = await loadWasmParser();
  const text = `${header}${expressions.map((expression, at) => `value_${at} = ${expression}\n`).join('')}`;
  const facts = readFacts({ file: 'a.py', text }, parser);
  assert.equal(facts.fault, null);
  const names = new NameResolver(runSteps(ModuleTable.of(['a.py'])), () => facts);
  return expressions.map((_, at) => {
    const [binding] = facts.scopes[0]!.bindings[`value_${at}`]!;
    return binding?.kind === 'value'
      ? foldConstant(names, binding.expression, { file: 'a.py', scope: 0 })
      : { type: 'dynamic' };
  });
}

describe('folding', () => {
  it('gives the same value as Python, or none', async (t) => {
    const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);
    t.diagnostic(`TEST_SEED=${seed}`);
    const writer = new Writer(seed);
    const expressions = Array.from({ length: EXPRESSIONS }, () => writer.any());
    const input = JSON.stringify({ header: HEADER, expressions });
    const limits = { input, encoding: 'utf8', maxBuffer: 1e9 } as const;
    const values = JSON.parse(execFileSync(python, ['-c', EVALUATE], limits)) as Value[];
    const folded = await fold(HEADER, expressions);
    let known = 0;
    for (const [at, constant] of folded.entries()) {
      const value = valueOf(constant);
      if (!value) continue;
      const [type, error] = values[at]!;
      // Since 3.12, Python accepts the same quotes again inside an f-string.
      if (type === 'error' && (error === 'SyntaxError' || LEAVES_OUT.test(expressions[at]!))) continue;
      known += 1;
      assert.deepEqual(value, withFloats(values[at]!), expressions[at]);
    }
    const possible = values.filter(([type]) => type !== 'error' && type !== 'other').length;
    t.diagnostic(`${known} of ${possible} values are known`);
    assert.ok(known > possible / 2, 'most of them are known');
  });

  it('ends for values that would fill the memory, and for integers that a double cannot represent', async () => {
    const expressions = [
      '10 ** 10 ** 10',
      '2 ** 64',
      '2 ** 53',
      '9007199254740991 + 1',
      '"a" * 10 ** 9',
      '[0] * 10 ** 9',
      '[[[[0] * 100] * 100] * 100] * 100',
      '(("a" * 1000) * 1000) * 1000',
      '"%0999999999d" % 1',
      '"{:>999999999}".format(1)',
      `${'-'.repeat(500)}1`,
      `1${' + 1'.repeat(5_000)}`,
      `${'('.repeat(100)}1${',)'.repeat(100)}`,
      '1 / 0',
      '1e308 * 10',
    ];
    const folded = await fold('', expressions);
    assert.deepEqual(
      folded.map((constant, at) => [expressions[at]!.slice(0, 40), valueOf(constant)]),
      expressions.map((expression) => [expression.slice(0, 40), null]),
    );
  });
});

describe('folding a call', () => {
  const environment = (name: string, fallback: string | null = null) =>
    ({ type: 'environment', name, default: fallback }) as const;
  const DYNAMIC = { type: 'dynamic' } as const;
  const CASES: [expression: string, folded: Constant][] = [
    ['os.getenv("A")', environment('A')],
    ['os.getenv("A", None)', environment('A')],
    ['os.getenv("A", "b")', environment('A', 'b')],
    ['os.getenv(key="A", default="b")', environment('A', 'b')],
    ['os.environ.get("A", default="b")', environment('A', 'b')],
    ['os.environ["A"]', environment('A')],
    ['os.getenv("A", 3)', DYNAMIC],
    ['os.getenv(3)', DYNAMIC],
    ['os.getenv("A", "b", "c")', DYNAMIC],
    ['os.getenv("A", other="b")', DYNAMIC],
    ['str("a", "utf-8")', DYNAMIC],
    ['int("11", 2)', DYNAMIC],
    ['list((1,), 2)', DYNAMIC],
    ['str(object="a")', DYNAMIC],
    ['str()', { type: 'string', value: '' }],
    ['int()', { type: 'integer', value: 0 }],
  ];
  for (const [expression, folded] of CASES) {
    it(`${folded.type === 'dynamic' ? 'leaves' : 'reads'} ${expression}`, async () => {
      assert.deepEqual((await fold('import os\n', [expression]))[0], folded);
    });
  }
});
