/**
 * The pickles that dev writes and reads: Python's own module can load them, and reading runs no other
 * program.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { decodePickle, encodePickle, PickleError, type Plain } from '../../runtime/dev/resources/pickle.ts';
import { HOSTILE_PICKLES, writeHostilePickles } from './hostilePickles.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-pickles-'));
after(() => rmSync(folder, { recursive: true }));

/** The result of Python's `pickle.load` for a file, as JSON. */
function loaded(pickle: Buffer): unknown {
  const file = path.join(folder, 'own.pkl');
  writeFileSync(file, pickle);
  const program = 'import json, pickle, sys\nprint(json.dumps(pickle.load(open(sys.argv[1], "rb"))))';
  return JSON.parse(execFileSync('python3', ['-c', program, file], { encoding: 'utf8' }));
}

describe('pickles', () => {
  it('can be loaded by Python', () => {
    const value = {
      'http://127.0.0.1:8890 app/production': {
        run: 'ünï\u{1f600}',
        endpoints: {},
        list: [1, [], 'a', -5, 0.5, 2 ** 40],
      },
      __proto__: { own: 'text' },
      '': '',
    };
    assert.deepEqual(loaded(encodePickle(value)), JSON.parse(JSON.stringify(value)));
  });

  it('are read as they were written', () => {
    const { plain } = fc.letrec<{ plain: Plain }>((tie) => ({
      plain: fc.oneof(
        { maxDepth: 6 },
        fc.string({ unit: 'grapheme' }),
        fc.double({ noNaN: true }),
        fc.integer(),
        fc.array(tie('plain')),
        fc.dictionary(fc.string(), tie('plain'), { noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(plain, (value) =>
        assert.deepEqual({ ...[decodePickle(encodePickle(value))] }, { ...[value] }),
      ),
    );
  });

  it(`are refused when they do anything else: ${HOSTILE_PICKLES} of them`, () => {
    const marker = path.join(folder, 'executed');
    writeHostilePickles(folder, marker);
    const files = readdirSync(folder).filter((name) => name.startsWith('hostile-'));
    assert.equal(files.length, HOSTILE_PICKLES);
    for (const file of files)
      assert.throws(() => decodePickle(readFileSync(path.join(folder, file))), PickleError, file);
    assert.ok(!existsSync(marker), 'nothing was executed');
    loaded(readFileSync(path.join(folder, 'hostile-0.pkl')));
    assert.ok(existsSync(marker), 'Python executes it');
  });

  it('are refused when they are truncated or changed in a byte, unless they still mean plain data', () => {
    const bytes = encodePickle({
      a: { run: 'one', endpoints: { b: { id: 'x', configuration: 'y' } } },
      n: [1, 0.5],
    });
    for (let length = 0; length < bytes.length; length += 1)
      assert.throws(() => decodePickle(bytes.subarray(0, length)), String(length));
    for (let at = 0; at < bytes.length; at += 1)
      for (let byte = 0; byte < 256; byte += 1) {
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        try {
          JSON.stringify(decodePickle(changed));
        } catch (error) {
          assert.ok(error instanceof PickleError, `${at} ${byte}: ${String(error)}`);
        }
      }
  });
});
