/** Every fix for a fixture of the rules, applied by itself and read again. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixAll, fixesFor } from '../../../runtime/source/findings/fixesFor.ts';
import { writeProject } from '../checkProject.ts';
import { FIXTURES } from '../findings/all.ts';
import { parseFixture } from '../fixture.ts';
import { applied, checkFix, type Files, findingsOf, openProject, parsePython, pythonOf } from './checkFix.ts';

/** The same text with other line ends. */
const VARIANTS: [shows: string, write: (text: string) => string][] = [
  ['as written', (text) => text],
  ['with Windows line ends', (text) => text.replaceAll(/\r?\n/g, '\r\n')],
];

/** The files of a fixture; null if one of them is not text, since edits apply to text. */
function textsOf(fixture: string, write: (text: string) => string): Files | null {
  const files: Files = {};
  for (const [file, content] of Object.entries(parseFixture(fixture).files)) {
    if ('link' in content || !Buffer.from(content.text).equals(content.bytes)) return null;
    files[file] = write(content.text);
  }
  return files;
}

describe('fixes of every fixture', () => {
  const results: string[] = [];
  let count = 0;
  for (const [code, { fires }] of Object.entries(FIXTURES)) {
    for (const [title, text] of fires) {
      for (const [shows, write] of VARIANTS) {
        it(`${code}: ${title}, ${shows}`, async () => {
          const files = textsOf(text, write);
          if (!files) return;
          const project = await openProject(writeProject(files));
          const findings = findingsOf(project);
          const isPython = findings.every((one) => one.code !== 'syntax-error');
          for (const found of findings) {
            for (const fix of fixesFor(project, found)) {
              const effects = fix.title.startsWith('Silence') ? {} : FIXTURES[found.code]!.repairs;
              const result = await checkFix(files, project, { fix, found, ...effects });
              if (isPython) results.push(...pythonOf(result));
              count += 1;
            }
          }
          for (const file of Object.keys(files)) {
            const all = fixAll(project, file);
            if (!all) continue;
            const result = applied(files, all);
            const again = await openProject(writeProject(result));
            assert.equal(fixAll(again, file), null, 'no safe repair is left');
            if (isPython) results.push(...pythonOf(result));
          }
        });
      }
    }
  }

  it('leaves code that Python parses', () => {
    assert.ok(count > 100, `${count} fixes`);
    parsePython(results);
  });
});
