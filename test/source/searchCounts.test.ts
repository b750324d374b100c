/** What a search parses: only files and statements that can contain the name. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FindingReader } from '../../runtime/source/findings/FindingReader.ts';
import { findUses } from '../../runtime/source/references/findUses.ts';
import { renameName } from '../../runtime/source/references/renameName.ts';
import { renameSymbol } from '../../runtime/source/references/renameSymbol.ts';
import { targetAt } from '../../runtime/source/references/targetAt.ts';
import { LiveProject } from '../../runtime/source/snapshot/LiveProject.ts';
import { runSteps } from '../../runtime/source/steps.ts';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';
import { writeProject } from './checkProject.ts';

const WORKER = `from toolkit_sdk import Endpoint

@Endpoint(name="load")
def load(path):
    return path
`;
const { signal } = new AbortController();
const ORIGIN = { file: 'worker.py', scope: 0, name: 'load' };

/** A project that is read, and the texts parsed since. */
async function openCounted(files: Record<string, string>) {
  const parsed: string[] = [];
  const engine = await loadWasmParser();
  const project = new LiveProject({
    root: writeProject(files),
    parser: {
      ...engine,
      parse(text, ...rest) {
        parsed.push(text);
        return engine.parse(text, ...rest);
      },
    },
    findings: FindingReader,
    onCrash: (file, error) => {
      throw new Error(`Reading ${file} crashed.`, { cause: error });
    },
  });
  runSteps(project.read());
  await project.configure();
  runSteps(project.update());
  return { project, view: project.view(), parsed, forget: () => parsed.splice(0) };
}

/** A module of a package that contains the word but has nothing to do with the endpoint. */
const other = (at: number) => `import json
from .part${at + 1} import Loader

def load(file):
    return json.load(file), Loader().load(), {"load": file}
`;

describe('a search in a project', () => {
  it('parses no file that imports do not lead to, however many contain the word', async () => {
    const package_ = Array.from({ length: 40 }, (_, at) => [`package/part${at}.py`, other(at)]);
    const { view, parsed, forget } = await openCounted({
      'worker.py': WORKER,
      'caller.py': 'import worker\n\nworker.load("x")\n',
      ...Object.fromEntries(package_),
    });
    forget();
    const uses = await findUses(view, ORIGIN, 'thing', signal);
    assert.deepEqual(
      uses.map(({ file, range }) => `${file}:${range.start.line + 1}`),
      ['caller.py:3', 'worker.py:4'],
    );
    const edits = await renameSymbol(view, ORIGIN, 'fetch', signal);
    assert.equal(edits.length, 2);
    assert.deepEqual(
      parsed.filter((text) => text.includes('Loader')),
      [],
    );
  });

  it('among the files that contain the word, parses only those that can refer to it', async () => {
    const { view, parsed, forget } = await openCounted({
      'worker.py': WORKER,
      'other.py': `${other(0)}\ndef late():\n    return late\n`,
      'word.py': 'def load(): ...\n',
    });
    forget();
    const edits = await renameName(view, 'load', 'fetch', signal);
    assert.deepEqual(
      edits.map(({ file, reason }) => `${file} ${reason}`),
      ['worker.py certain', 'other.py maybe'],
    );
    assert.deepEqual(
      parsed.filter((text) => /late|^def load\(\)/.test(text)),
      [],
    );
  });
});

describe('a search in a large file', () => {
  const functions = Array.from({ length: 6_000 }, (_, at) => {
    const called = at % 2_000 === 0 ? 'load' : 'print';
    return `def function_${at}(first, second="x"):\n    return ${called}(first + ${at})\n\n`;
  });
  const text = `${WORKER}\n${functions.join('')}`;

  for (const isOpen of [true, false])
    it(`parses only statements that contain the word: ${isOpen ? 'open' : 'closed'}`, async () => {
      assert.ok(text.length > 262_144);
      const { project, parsed, forget } = await openCounted({ 'worker.py': text });
      if (isOpen) project.open('worker.py', text);
      runSteps(project.update());
      const view = project.view();
      forget();
      const target = targetAt(view, 'worker.py', { line: 3, character: 5 });
      assert.equal(target?.kind, 'symbol');
      const lines = (found: readonly { range: { start: { line: number } } }[]) =>
        found.map(({ range }) => range.start.line);
      const expected = [3, 7, 6_007, 12_007];
      assert.deepEqual(lines(await findUses(view, ORIGIN, 'thing', signal)), expected);
      assert.deepEqual(lines(await renameSymbol(view, ORIGIN, 'fetch', signal)), expected);
      const length = parsed.reduce((sum, { length }) => sum + length, 0);
      assert.ok(length < text.length / 2, `${length} of ${text.length} characters`);
    });

  it('parses statements that contain parts of the word, and refuses a rename that would change them', async () => {
    const often = `${WORKER}\n${functions.join('').replaceAll('print', 'load')}`;
    const { view, parsed, forget } = await openCounted({ 'worker.py': often });
    forget();
    assert.equal((await findUses(view, ORIGIN, 'thing', signal)).length, 6_001);
    assert.ok(parsed.length > 10 && parsed.every(({ length }) => length < often.length / 5));
    await assert.rejects(
      renameSymbol(view, ORIGIN, 'function_5999', signal),
      /already means something else in worker\.py:18004/,
    );
  });
});
