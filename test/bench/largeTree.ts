/** A tree of 13,000 real Python files, 20 of which declare endpoints. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FILES = 13_000;

/** Copies of this machine's standard library until there are enough files, and 20 modules with endpoints. */
export function growTree(root: string): number {
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

/** Modules of the first copy, in order. */
export function libraryModules(root: string): string[] {
  const copy = path.join(root, 'copy0');
  return readdirSync(copy)
    .filter((file) => file.endsWith('.py'))
    .sort()
    .map((file) => path.join(copy, file));
}
