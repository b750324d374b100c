/** Temporary folders of one test file, removed at its end. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';

const made: string[] = [];

after(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A new empty folder. */
export function scratch(name = 'build'): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `toolkit-${name}-`));
  made.push(folder);
  return folder;
}

/** Writes files (path → content) into a folder. */
export function writeTree(folder: string, files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
}
