/**
 * Features of a live project that the server's tests do not cover: an internal error in one file, and updates
 * in steps.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FindingReader } from '../../runtime/source/findings/FindingReader.ts';
import { LiveProject } from '../../runtime/source/snapshot/LiveProject.ts';
import { runSteps } from '../../runtime/source/steps.ts';
import type { SyntaxParser } from '../../runtime/source/syntax/SyntaxParser.ts';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';
import { writeProject } from './checkProject.ts';

const WRONG = 'from toolkit_sdk import Endpoint\n\n@Endpoint(workers=(3, 1))\ndef run():\n    """Run."""\n';
const CRASHING = `${WRONG.replace('run', 'crash')}# the engine fails here\n`;

/** The real engine, which fails on one text like an internal error would. */
async function failingParser(): Promise<SyntaxParser> {
  const parser = await loadWasmParser();
  return {
    ...parser,
    parse(text, ...rest) {
      if (text.includes('# the engine fails here')) throw new TypeError('an internal error');
      return parser.parse(text, ...rest);
    },
  };
}

async function read(files: Record<string, string>) {
  const crashes: string[] = [];
  const project = new LiveProject({
    root: writeProject(files),
    parser: await failingParser(),
    findings: FindingReader,
    onCrash: (file, error) => crashes.push(`${file}: ${(error as Error).message}`),
  });
  runSteps(project.read());
  await project.configure();
  return { project, crashes };
}

function findings(project: LiveProject): string[] {
  runSteps(project.update());
  return project.diagnostics().map(({ file, code }) => `${file} ${code}`);
}

describe('an internal error in one file', () => {
  it('is reported once and affects only that file, closed, opened and edited', async () => {
    const { project, crashes } = await read({ 'a.py': WRONG, 'bad.py': CRASHING });
    assert.deepEqual(findings(project), ['a.py invalid-workers']);
    project.open('bad.py', CRASHING);
    project.change('bad.py', [{ text: `${CRASHING}x = 1\n` }]);
    assert.deepEqual(findings(project), ['a.py invalid-workers']);
    assert.deepEqual(crashes, ['bad.py: an internal error']);
  });

  it('ends with the text that caused it', async () => {
    const { project } = await read({ 'a.py': WRONG, 'bad.py': WRONG.replace('run', 'crash') });
    project.open('bad.py', WRONG.replace('run', 'crash'));
    project.change('bad.py', [{ text: CRASHING }]);
    findings(project);
    project.change('bad.py', [{ text: WRONG.replace('run', 'other') }]);
    assert.deepEqual(findings(project), ['a.py invalid-workers', 'bad.py invalid-workers']);
    project.close('bad.py');
    assert.deepEqual(findings(project), ['a.py invalid-workers', 'bad.py invalid-workers']);
  });
});

it('is updated in steps, and starts again after a change between them', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`m${at}.py`, WRONG.replace('run', `run${at}`)]),
  );
  const { project } = await read(files);
  const steps = project.update();
  for (let at = 0; at < 20; at += 1) assert.equal(steps.next().done, false);
  project.open('m3.py', 'x = 1\n');
  runSteps(steps);
  assert.equal(project.diagnostics().length, 39);
  runSteps(project.update());
  assert.equal(project.recomputations, 2);
});
