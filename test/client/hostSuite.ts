/** Runs a file of test/client/host in the extension host, and reports each of its tests as a test here. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as esbuild from 'esbuild';
import { VSCode } from './VSCode.ts';

const root = path.join(import.meta.dirname, '../..');

interface Outcome {
  title: string;
  failure: string | null;
}

/**
 * Describes a suite. All of its tests run once before they are reported.
 *
 * @param titles - All of its tests, in order: a missing one fails.
 * @param project - Creates the folder that the window opens.
 */
export function hostSuite(file: string, titles: readonly string[], project: (folder: string) => void): void {
  describe(`in the extension host: ${file}`, () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-vscode-'));
    let outcomes: Outcome[] = [];
    before(async () => {
      const suite = path.join(folder, 'suite.mjs');
      await esbuild.build({
        entryPoints: [path.join(import.meta.dirname, 'host', `${file}.ts`)],
        outfile: suite,
        bundle: true,
        format: 'esm',
        platform: 'node',
        external: ['vscode'],
      });
      project(path.join(folder, 'project'));
      const code = await VSCode.start({ home: folder, env: process.env });
      try {
        const printed = await code.runSuite(path.join(folder, 'project'), { development: root, suite });
        outcomes = printed.flatMap((line) =>
          line.startsWith('HOST ') ? [JSON.parse(line.slice('HOST '.length)) as Outcome] : [],
        );
      } finally {
        await code.stop();
      }
    });
    after(() => rmSync(folder, { recursive: true, force: true }));
    for (const title of titles) {
      it(title, () => {
        const outcome = outcomes.find((one) => one.title === title);
        assert.ok(outcome, 'it did not run');
        assert.equal(outcome.failure, null);
      });
    }
    it('has no other tests', () =>
      assert.deepEqual(
        outcomes.map((one) => one.title),
        titles,
      ));
  });
}
