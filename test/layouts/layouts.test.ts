/** Each declaration of each layout is served, or reported with file, line and column and refused. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { refuseErrors } from '../../runtime/build/refuseErrors.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { countedFindings, writeProject } from '../source/checkProject.ts';
import { LAYOUTS } from './all.ts';
import { filesOf, type Layout } from './layout.ts';

async function check(layout: Layout): Promise<void> {
  const root = writeProject(filesOf(layout));
  for (const [link, target] of Object.entries(layout.links ?? {})) symlinkSync(target, path.join(root, link));
  const reading = await readProject({ root });
  const found = countedFindings(reading).map(({ file, range: { start }, code }) => {
    return `${file}:${start.line + 1}:${start.character + 1} ${code}`;
  });
  assert.deepEqual(found, layout.findings ?? []);
  const declared = reading.endpoints.map(
    ({ name, kind, file, line }) => [name ?? '?', `${kind} ${file}:${line}`] as const,
  );
  assert.deepEqual(Object.fromEntries(declared), layout.endpoints);
  if (layout.answers) {
    refuseErrors(reading);
    const answering = Object.keys(layout.answers).map((call) => call.split(' ')[0]);
    assert.deepEqual(
      [...new Set(answering)].toSorted(),
      Object.keys(layout.endpoints).toSorted(),
      'each endpoint is called',
    );
  } else {
    assert.throws(
      () => refuseErrors(reading),
      /^ToolkitError: (?:\S+:\d+:\d+: |The project has \d+ errors:)/,
    );
  }
}

describe('layouts', () => {
  for (const layout of LAYOUTS) {
    it(`${layout.answers ? 'serves' : 'refuses'} ${layout.title}`, () => check(layout));
  }

  it('are at least 60, all different', () => {
    assert.ok(LAYOUTS.length >= 60, String(LAYOUTS.length));
    assert.equal(new Set(LAYOUTS.map(({ title }) => title)).size, LAYOUTS.length);
  });
});
