/**
 * What is generated from the findings is as they say. Each example of docs/diagnostics.md is read as a project: the
 * finding is in the first, and gone from the second.
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
const FILE = /^# (\S+\.py|\.toolkitignore)\n/m;

/** An example's files; a shell's lines make them. */
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
  // No Python of this machine says which packages there are.
  return (await readProject({ root: makeProject(language, text), env: {} })).diagnostics;
}

describe('what is generated from the findings', () => {
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
    it(`tells ${code} with an example that fires and its repair`, async () => {
      const examples = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
      assert.equal(examples.length, 2);
      const [fires, repaired] = await Promise.all(
        examples.map(([, language, text]) => findingsOf(language!, text!)),
      );
      assert.ok(fires!.length > 0);
      assert.deepEqual([...new Set(fires!.map((one) => one.code))], [code]);
      assert.deepEqual(repaired, []);
    });
  }
});
