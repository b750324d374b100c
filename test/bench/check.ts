/** `toolkit check` on the tutorial over `node -e 0`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { command, compare } from './measure.ts';

const cli = path.join(import.meta.dirname, '../../dist/cli.js');
const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
const env = { ...process.env, TOOLKIT_HOME: path.join(folder, 'home') };
try {
  command(process.execPath, [cli, 'init', 'tutorial', '--template', 'tutorial'], { cwd: folder, env });
  const cwd = path.join(folder, 'tutorial');
  await compare(
    'toolkit check / node -e 0',
    3,
    { name: 'toolkit check', run: () => command(process.execPath, [cli, 'check'], { cwd, env }) },
    { name: 'node -e 0', run: () => command(process.execPath, ['-e', '0']) },
    15,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
