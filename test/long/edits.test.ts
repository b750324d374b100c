import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LiveDocument } from '../../runtime/source/snapshot/LiveDocument.ts';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';
import { ENGINES } from '../source/engines.ts';
import { tryEdits } from '../source/randomEdits.ts';
import { HOPELESS, libraryTexts, ownTexts } from '../source/realTexts.ts';

const engine = path.join(import.meta.dirname, '../../runtime/source/syntax/wasmParser.ts');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

describe('10,000 random edits of real files', () => {
  for (const { name, load } of ENGINES) {
    it(`keep a live document equal to a full reading: ${name}`, async (t) => {
      const parser = await load();
      const texts = [...ownTexts(), ...libraryTexts(10), ...HOPELESS];
      const seed = randomInt(2 ** 30);
      t.diagnostic(`seed ${seed}`);
      let tried = 0;
      for (let round = 0; tried < 10_000; round += 1) {
        tried += tryEdits(parser, texts, { seed: seed + round, lines: 300 });
        // The garbage collector does not know how large the trees of the native engine are.
        collect();
      }
      t.diagnostic(`${tried} edits`);
      assert.ok(tried >= 10_000);
    });
  }
});

describe('random edits of large files', () => {
  // Above the first length a file is read in sections; above the second one, their trees are released in
  // between.
  for (const [characters, sessions] of [
    [262_144, 40],
    [1_000_000, 8],
  ] as const) {
    it(`keep a live document equal to a full reading: ${characters} characters`, async (t) => {
      const parser = await loadWasmParser();
      const seed = randomInt(2 ** 30);
      t.diagnostic(`seed ${seed}`);
      const tried = tryEdits(parser, [...ownTexts(), ...libraryTexts(10)], { seed, sessions, characters });
      t.diagnostic(`${tried} edits`);
    });
  }
});

describe('100,000 edits of one document', () => {
  it('leave no memory behind after it is closed', async (t) => {
    const parser = await loadWasmParser();
    const text = libraryTexts(1).find(({ title }) => title === 'argparse.py')!.text;
    const line = text.split('\n').findIndex((written) => written.startsWith('        return '));
    const edit = (times: number) => {
      const document = new LiveDocument({ file: 'a.py', text }, parser);
      for (let time = 0; time < times; time += 1) {
        const isEven = time % 2 === 0;
        const start = { line, character: 8 };
        const end = { line, character: isEven ? 8 : 9 };
        document.change([{ range: { start, end }, text: isEven ? ['(', 'x', '\n'][time % 3]!.trim() : '' }]);
      }
    };
    const measure = () => {
      collect();
      // The memory of the wasm engine is external.
      const { heapUsed, external } = process.memoryUsage();
      return (heapUsed + external) / 1e6;
    };
    edit(2000);
    const before = measure();
    edit(100_000);
    const grown = measure() - before;
    t.diagnostic(`${grown.toFixed(1)} MB more`);
    assert.ok(grown < 5, `${grown} MB more`);
  });
});

describe('an engine that runs out of its 2 GB', () => {
  it('reports that it has stopped, at every later call too', async () => {
    const script = `
      import { loadWasmParser } from ${JSON.stringify(engine)};
      const parser = await loadWasmParser();
      const parse = (text) => {
        try {
          return parser.parse(text) && null;
        } catch (error) {
          return error.code + ': ' + error.message;
        }
      };
      const text = 'x = [1, 2, (3, 4), {5: 6}]\\n'.repeat(60_000);
      for (let trees = 0; trees < 100; trees += 1) {
        const message = parse(text);
        if (message === null) continue;
        console.log(message);
        console.log(parse('x = 1\\n'));
        break;
      }`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const message = 'INTERNAL: The Python parser crashed.\n';
    assert.equal(stdout, message.repeat(2));
  });
});
