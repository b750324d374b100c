import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { LiveDocument } from '../../runtime/source/snapshot/LiveDocument.ts';
import { runSteps } from '../../runtime/source/steps.ts';
import type { SyntaxParser } from '../../runtime/source/syntax/SyntaxParser.ts';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';
import { ENGINES } from './engines.ts';
import { tryEdits } from './randomEdits.ts';
import { readFacts } from './readFacts.ts';
import { HOPELESS, libraryTexts, ownTexts } from './realTexts.ts';

describe('random edits of real files', () => {
  const texts = [...ownTexts(), ...libraryTexts(40)];

  for (const { name, load } of ENGINES) {
    it(`keep a live document equal to a full reading: ${name}`, async (t) => {
      const seed = randomInt(2 ** 30);
      const parser = await load();
      let tried = 0;
      for (let round = 0; tried < 400; round += 1)
        tried += tryEdits(parser, texts, { seed: seed + round, lines: 120 });
      t.diagnostic(`${tried} edits, seed ${seed}`);
    });
  }
});

describe('random edits of files full of faults', () => {
  it('keep a live document equal to a full reading', async (t) => {
    const seed = randomInt(2 ** 30);
    const tried = tryEdits(await loadWasmParser(), HOPELESS, { seed, lines: 105 });
    t.diagnostic(`${tried} edits, seed ${seed}`);
  });

  it('reads the statements after too many faults again once there are fewer', async () => {
    const parser = await loadWasmParser();
    const faults = 'x = f"{\n'.repeat(100);
    const text = `${faults}x = \nx = 1\ny = f"{\n`;
    const document = new LiveDocument({ file: 'a.py', text: `(${text}` }, parser);
    const join = { start: { line: 0, character: 8 }, end: { line: 1, character: 0 } };
    document.change([{ range: join, text: '' }]);
    assert.deepEqual(document.facts, readFacts({ file: 'a.py', text: document.text }, parser));
  });

  it('keeps the declarations of up to a hundred faulty statements', async () => {
    const text = 'x = (\n'.repeat(100);
    const document = new LiveDocument(
      { file: 'a.py', text: `${text}def last(): ...\n` },
      await loadWasmParser(),
    );
    assert.deepEqual(
      document.facts.definitions.map(({ name }) => name),
      ['last'],
    );
  });
});

/** Random numbers below a bound, the same for the same seed. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * bound);
  };
}

describe('a large document', () => {
  const functions = Array.from(
    { length: 6_000 },
    (_, at) => `@decorate(${at})\ndef function_${at}(first: int):\n    return first + ${at}\n\n`,
  );

  it('equals a full reading after each edit, whenever it is read', async (t) => {
    const parser = await loadWasmParser();
    const document = new LiveDocument({ file: 'a.py', text: functions.join('') }, parser);
    assert.equal(document.isRead, false);
    const seed = randomInt(2 ** 30);
    t.diagnostic(`seed ${seed}`);
    const random = numbers(seed);
    for (let round = 0; round < 6; round += 1) {
      const reading = document.read();
      // Edits come before, during and after a reading.
      for (let step = random(40); step > 0; step -= 1) reading.next();
      for (let edit = random(3); edit > 0; edit -= 1) {
        const start = { line: random(20_000), character: 0 };
        const end = { line: start.line + random(9), character: 0 };
        document.change([
          { range: { start, end }, text: ['', '\n', 'x = (\n', 'def f(): ...\n'][random(4)]! },
        ]);
      }
      runSteps(reading);
      runSteps(document.read());
      assert.equal(document.isRead, true);
      const facts = readFacts({ file: 'a.py', text: document.text }, parser);
      assert.ok(isDeepStrictEqual(document.facts, facts), `round ${round}`);
    }
  });

  it('is read at once when it becomes small, and when it is emptied', async () => {
    const parser = await loadWasmParser();
    const document = new LiveDocument({ file: 'a.py', text: functions.join('') }, parser);
    runSteps(document.read());
    assert.equal(document.facts.definitions.length, 6_000);
    document.change([{ text: '' }]);
    assert.deepEqual(document.facts, readFacts({ file: 'a.py', text: '' }, parser));
    document.change([{ text: 'def f(): ...\n' }]);
    assert.deepEqual(document.facts, readFacts({ file: 'a.py', text: 'def f(): ...\n' }, parser));
  });
});

describe('a live document', () => {
  const SOURCE = `from toolkit_sdk import Endpoint

@Endpoint("first")
def first():
    return 1

@Endpoint("second")
def second():
    return 2
`;

  /** Opens a text, makes one change, and returns the document and whether it reported a change. */
  async function changed(text: string, line: number, character: number, inserted: string) {
    const document = new LiveDocument({ file: 'a.py', text }, await loadWasmParser());
    const before = document.facts;
    const isChanged = document.change([
      { range: { start: { line, character }, end: { line, character } }, text: inserted },
    ]);
    return { document, before, isChanged };
  }

  const namesOf = ({ facts }: LiveDocument) =>
    facts.definitions.map(({ name, decorators }) => `${name} ${decorators.length}`);

  it('keeps its facts, as the same object, while a body is typed', async () => {
    const { document, before, isChanged } = await changed(SOURCE, 4, 12, '0 + 1');
    assert.equal(isChanged, false);
    assert.equal(document.facts, before);
  });

  it('reports changes', async () => {
    const { document, isChanged } = await changed(SOURCE, 2, 16, 's');
    assert.equal(isChanged, true);
    const { call } = document.facts.definitions[0]!.decorators[0]!;
    assert.equal(call?.arguments[0]?.value.kind === 'string' && call.arguments[0].value.value, 'firsts');
  });

  it('knows the declarations around one that is being typed', async () => {
    for (const [line, character, typed] of [
      [2, 10, '"x", cpu="'],
      [2, 17, ', workers=('],
      [4, 12, 'call('],
      [4, 12, '[{'],
      [5, 0, 'x = ('],
      [5, 0, 'class '],
    ] as const) {
      const { document } = await changed(SOURCE, line, character, typed);
      assert.deepEqual(namesOf(document).at(-1), 'second 1', `after ${typed}`);
    }
  });

  it('reports only the first fault, wherever the later ones are', async () => {
    const { document } = await changed(SOURCE, 4, 12, '(');
    assert.match(document.facts.fault!.message, /never closed/);
    assert.deepEqual(document.facts.fault!.range.start, { line: 4, character: 12 });
  });

  it('forgets a name after a number once the module no longer imports it', async () => {
    const { document } = await changed('from y ( *\n\uFEFFimport sys\nx = 2sys.platform == "w":', 0, 0, '(');
    assert.deepEqual(
      document.facts,
      readFacts({ file: 'a.py', text: document.text }, await loadWasmParser()),
    );
  });

  it('counts a lone carriage return, and one that gets a line feed, like editors do', async () => {
    const text = 'x = 1\r@Endpoint("a")\rdef f(): ...\r';
    const { document } = await changed(text, 1, 0, '\n');
    assert.equal(document.text, 'x = 1\r\n@Endpoint("a")\ndef f(): ...\n');
    assert.deepEqual(document.facts.definitions[0]?.nameRange.start, { line: 2, character: 4 });
  });

  it('counts the columns of a line with a byte order mark like editors do', async () => {
    const { document } = await changed('\uFEFFimport a\nx = 1\n', 1, 0, 'y = 2\n');
    assert.equal(document.facts.fault, null);
    assert.deepEqual(document.facts.imports[0]?.range.start, { line: 0, character: 8 });
    assert.ok(document.text.startsWith('\uFEFF'));
  });

  it('parses only what an edit has touched', async () => {
    const engine = await loadWasmParser();
    const parsed: string[] = [];
    const counting: SyntaxParser = {
      ...engine,
      parse(text, ...rest) {
        parsed.push(text);
        return engine.parse(text, ...rest);
      },
    };
    const document = new LiveDocument({ file: 'a.py', text: SOURCE }, counting);
    assert.deepEqual(parsed.splice(0), [SOURCE]);
    document.change([
      { range: { start: { line: 4, character: 11 }, end: { line: 4, character: 12 } }, text: '3' },
    ]);
    assert.deepEqual(parsed.splice(0), ['@Endpoint("first")\ndef first():\n    return 3\n\n']);
    document.change([
      { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '\n' },
    ]);
    assert.deepEqual(parsed.splice(0), ['\nfrom toolkit_sdk import Endpoint\n\n']);
  });
});
