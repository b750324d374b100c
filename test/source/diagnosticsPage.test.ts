/**
 * The pages generated from the findings are up to date. Each example of docs/diagnostics.md is read as a
 * project: the first version has the finding, the second does not.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { generatedFiles } from '../../docs/generate.ts';
import type { Diagnostic } from '../../runtime/contract/diagnostic.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { makeFolder, writeProject } from './checkProject.ts';

const GENERATED = await generatedFiles();
const SECTIONS = GENERATED.get('docs/diagnostics.md')!.split(/^### /m).slice(1);
const FILE = /^# (\S+\.(?:py|txt)|\.toolkitignore)\n/m;

/** The files of an example. Lines of a shell script create them. */
function makeProject(language: string, text: string): string {
  if (language === 'sh') {
    const root = makeFolder();
    execFileSync('sh', ['-c', text], { cwd: root });
    return root;
  }
  if (language === 'toml') return writeProject({ 'pyproject.toml': text });
  const [first, ...parts] = text.split(FILE);
  if (parts.length === 0) return writeProject({ 'worker.py': first! });
  const files = parts.flatMap((file, at): [string, string][] => (at % 2 ? [] : [[file, parts[at + 1]!]]));
  return writeProject(Object.fromEntries(files));
}

async function findingsOf(language: string, text: string): Promise<Diagnostic[]> {
  // Packages installed on this machine are ignored.
  return (await readProject({ root: makeProject(language, text), env: {} })).diagnostics;
}

describe('pages generated from the findings', () => {
  for (const [file, text] of GENERATED) {
    it(`${file} is up to date`, () => {
      const written = readFileSync(path.join(import.meta.dirname, '../..', file), 'utf8');
      assert.equal(written, text, 'run npm run generate');
    });
  }
});

describe('docs/diagnostics.md', () => {
  for (const section of SECTIONS) {
    const code = /^`([a-z-]+)`\n\n/.exec(section)?.[1];
    it(`shows ${code} with an example that has the finding and a fixed one`, async () => {
      const examples = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
      assert.equal(examples.length, 2);
      const [fires, fixed] = await Promise.all(
        examples.map(([, language, text]) => findingsOf(language!, text!)),
      );
      assert.ok(fires!.length > 0);
      assert.deepEqual([...new Set(fires!.map((one) => one.code))], [code]);
      assert.deepEqual(fixed, []);
    });
  }
});
