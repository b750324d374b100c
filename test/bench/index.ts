/** Cold index of 13,000 Python files, 20 of which declare endpoints, over `grep -rl Endpoint` on the same tree. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readProject } from '../../runtime/source/readProject.ts';
import { growTree } from './largeTree.ts';
import { command, compare } from './measure.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
try {
  const files = growTree(folder);
  await compare(
    `index of ${files} files / grep -rl Endpoint`,
    2,
    {
      name: 'index',
      run: async () => void (await readProject({ root: folder, signal: new AbortController().signal })),
    },
    { name: 'grep -rl', run: () => command('grep', ['-rl', 'Endpoint', folder]) },
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
