/**
 * Fixes in half-typed files: whatever the text is, they never fail, never overlap, and break nothing that was
 * valid.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { TestContext } from 'node:test';
import { array, assert as assertProperty, constantFrom, nat, property, tuple } from 'fast-check';
import { FindingReader } from '../../../runtime/source/findings/FindingReader.ts';
import { fixAll, fixesFor } from '../../../runtime/source/findings/fixesFor.ts';
import { LiveProject } from '../../../runtime/source/snapshot/LiveProject.ts';
import { runSteps } from '../../../runtime/source/steps.ts';
import { loadWasmParser } from '../../../runtime/source/syntax/wasmParser.ts';
import { writeProject } from '../checkProject.ts';
import { FIXTURES } from '../findings/all.ts';
import { parseFixture } from '../fixture.ts';
import { applied, findingsOf } from './checkFix.ts';

/** Python files of all fixtures with findings. */
const TEXTS = Object.values(FIXTURES).flatMap(({ fires }) =>
  fires.flatMap(([, fixture]) =>
    Object.entries(parseFixture(fixture).files).flatMap(([file, content]) =>
      file.endsWith('.py') && 'text' in content && content.text.length < 2_000 ? [content.text] : [],
    ),
  ),
);

const PIECES = [
  '\n',
  '\r\n',
  '    ',
  '\t',
  '(',
  ')',
  ',',
  ':',
  '"',
  "'",
  '"""',
  '#',
  '\\',
  '🎉',
  'cv2',
  ' = ',
  '@',
  '.',
];

/** A text with some of its characters replaced by pieces of code. */
const edited = tuple(
  constantFrom(...TEXTS),
  array(tuple(nat(2_000), nat(6), constantFrom('', ...PIECES)), { maxLength: 4 }),
).map(([text, edits]) =>
  edits.reduce((now, [at, length, piece]) => {
    const start = at % (now.length + 1);
    return `${now.slice(0, start)}${piece}${now.slice(start + length)}`;
  }, text),
);

/** Makes all fixes of some edited texts. The texts depend on a seed, which is printed. */
export async function checkEditedTexts(t: TestContext, runs: number): Promise<void> {
  const parser = await loadWasmParser();
  const live = new LiveProject({
    root: writeProject({ 'a.py': '' }),
    parser,
    findings: FindingReader,
    onCrash: (file, error) => {
      throw new Error(`${file} cannot be read.`, { cause: error });
    },
  });
  runSteps(live.read());
  await live.configure();
  runSteps(live.update());
  const seed = Date.now();
  t.diagnostic(`seed ${seed}`);
  const pairs: [before: string, after: string][] = [];
  let count = 0;
  /** The project with one file whose text is replaced. */
  const shown = (text: string) => {
    live.open('a.py', text);
    return live.view();
  };
  const isWhole = (text: string) => !findingsOf(shown(text)).some(({ code }) => code === 'syntax-error');
  assertProperty(
    property(edited, (text) => {
      const project = shown(text);
      const findings = findingsOf(project);
      const wasWhole = !findings.some(({ code }) => code === 'syntax-error');
      const all = fixAll(project, 'a.py');
      const fixes = [...findings.flatMap((found) => fixesFor(project, found)), ...(all ? [all] : [])];
      for (const fix of fixes) {
        // Overlapping edits are refused.
        const result = applied({ 'a.py': text }, fix)['a.py'] ?? text;
        count += 1;
        if (!wasWhole) continue;
        assert.ok(isWhole(result), `${fix.title}\n${result}`);
        pairs.push([text, result]);
      }
    }),
    { numRuns: runs, seed },
  );
  assert.ok(count > runs / 2, `${count} fixes`);
  t.diagnostic(`${count} fixes, ${keptWhole(pairs)} of texts that Python parses`);
}

/** How many texts Python parses. It must also parse the results. */
function keptWhole(pairs: readonly [before: string, after: string][]): number {
  const program = `
import ast, json, sys
count = 0
for before, after in json.load(sys.stdin):
    try:
        ast.parse(before)
    except (SyntaxError, ValueError):
        continue
    count += 1
    try:
        ast.parse(after)
    except SyntaxError as error:
        sys.exit(f"{error}\\n{before}\\n--- became\\n{after}")
print(count)
`;
  const options = { input: JSON.stringify(pairs), encoding: 'utf8' } as const;
  return Number(execFileSync('python3', ['-W', 'ignore', '-c', program], options));
}
