/** Cold index of 13,000 Python files, 20 of which declare endpoints, over `grep -rl Endpoint` on the same tree. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readProject } from '../../runtime/source/readProject.ts';
import { command, compare } from './measure.ts';

const FILES = 13_000;
const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-bench-'));
try {
  const files = grow(folder);
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

/** Copies of this machine's standard library until there are enough files, and 20 modules with endpoints. */
function grow(root: string): number {
  const library = execFileSync('python3', ['-c', 'import sysconfig; print(sysconfig.get_path("stdlib"))'], {
    encoding: 'utf8',
  }).trim();
  writeFileSync(path.join(root, 'pyproject.toml'), '[project]\nname = "large"\n');
  let files = 0;
  for (let copy = 0; files < FILES; copy += 1) {
    const target = path.join(root, `copy${copy}`);
    cpSync(library, target, {
      recursive: true,
      filter: (source) => !/site-packages|__pycache__|\.(so|a|pyc)$/.test(source),
    });
    files += readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.py'),
    ).length;
  }
  mkdirSync(path.join(root, 'app'));
  for (let index = 0; index < 20; index += 1) {
    const text = `from toolkit_sdk import Endpoint\n\n@Endpoint(name="e${index}", cpu="cpu3c-1-2", workers=(0, 1))\ndef run(x: int):\n    """Run."""\n    return x\n`;
    writeFileSync(path.join(root, 'app', `e${index}.py`), text);
  }
  return files + 20;
}
