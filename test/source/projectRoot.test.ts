import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { findProjectRoot } from '../../runtime/source/projectRoot.ts';
import { writeProject } from './checkProject.ts';

/** Title, files and folders (ending in `/`), working directory, root; all inside the home folder. */
const CASES: [title: string, entries: string[], cwd: string, root: string][] = [
  ['is the nearest folder with pyproject.toml, going up', ['p/pyproject.toml', 'p/a/b/'], 'p/a/b', 'p'],
  ['is the inner one of two', ['p/pyproject.toml', 'p/a/requirements.txt', 'p/a/b/'], 'p/a/b', 'p/a'],
  ['is a folder with .git or with outputs', ['p/.git/', 'q/.toolkit/', 'p/a/', 'q/a/'], 'p/a', 'p'],
  ['is the working directory when there is no marker', ['p/a/'], 'p/a', 'p/a'],
  ['is never the home folder', ['pyproject.toml', '.git/', 'p/'], 'p', 'p'],
  ['is not detected by the folder of TOOLKIT_HOME', ['work/.toolkit/', 'work/a/'], 'work/a', 'work/a'],
];

describe('the project’s root', () => {
  for (const [title, entries, cwd, root] of CASES) {
    it(title, () => {
      const home = writeProject(
        Object.fromEntries(entries.filter((entry) => !entry.endsWith('/')).map((file) => [file, ''])),
      );
      for (const entry of entries)
        if (entry.endsWith('/')) mkdirSync(path.join(home, entry), { recursive: true });
      const found = findProjectRoot(path.join(home, cwd), home, path.join(home, 'work/.toolkit'));
      assert.equal(path.relative(home, found), root);
    });
  }
});
