import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LiveDocument } from '../../runtime/source/live/LiveDocument.ts';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';
import { ENGINES } from '../source/engines.ts';
import { tryEdits } from '../source/randomEdits.ts';
import { HOPELESS, libraryTexts, ownTexts } from '../source/realTexts.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

describe('10,000 random edits of real files', () => {
  for (const { name, load } of ENGINES) {
    it(`leave a live document with the facts of a full reading: ${name}`, async (t) => {
      const parser = await load();
      const texts = [...ownTexts(), ...libraryTexts(10), ...HOPELESS];
      const seed = randomInt(2 ** 30);
      t.diagnostic(`seed ${seed}`);
      let tried = 0;
      for (let round = 0; tried < 10_000; round += 1) {
        tried += tryEdits(parser, texts, { rounds: 1, seed: seed + round, lines: 300 });
        // The collector does not see how large the trees of the native engine are.
        collect();
      }
      t.diagnostic(`${tried} edits`);
      assert.ok(tried >= 10_000);
    });
  }
});

describe('100,000 edits of one document', () => {
  it('leave no memory behind once it is closed', async (t) => {
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
        if (time % 10 === 0) assert.equal(document.root.type, 'module');
      }
      document.dispose();
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
