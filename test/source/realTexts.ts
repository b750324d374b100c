/**
 * Python texts written by people, for testing the reader: those of the tests and templates here, and Python's
 * library.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { decodeSource } from '../../runtime/source/discovery/decodeSource.ts';
import { LAYOUTS } from '../layouts/all.ts';
import { filesOf } from '../layouts/layout.ts';
import { FIXTURES } from './findings/all.ts';
import { parseFixture } from './fixture.ts';

/** A text and its origin. */
export interface RealText {
  title: string;
  text: string;
}

/** Texts with faults in more lines than anyone writes. */
export const HOPELESS: readonly RealText[] = [
  'x = (\n',
  'def f():\n  return g(\n',
  'x = f"{\n',
  '  x = 1\n',
  '@a(\n',
  '"""\n',
  '(]\n',
  'if x\n',
].map((line) => ({ title: line, text: line.repeat(130) }));

const root = path.join(import.meta.dirname, '../..');

/** From layouts, fixtures of findings, and templates: nearly all of them declare endpoints. */
export function ownTexts(): RealText[] {
  const layouts = LAYOUTS.flatMap((layout) =>
    Object.entries(filesOf(layout)).flatMap(([file, content]) =>
      pythonText(`${layout.title}: ${file}`, file, Buffer.from(content as string)),
    ),
  );
  const fixtures = Object.values(FIXTURES).flatMap(({ fires, silent }) =>
    [...fires, ...silent].flatMap(([title, fixture]) =>
      Object.entries(parseFixture(fixture).files).flatMap(([file, content]) =>
        'bytes' in content ? pythonText(`${title}: ${file}`, file, Buffer.from(content.bytes)) : [],
      ),
    ),
  );
  const folder = path.join(root, 'runtime/templates');
  const templates = globSync('**/*.py', { cwd: folder }).flatMap((file) =>
    pythonText(file, file, readFileSync(path.join(folder, file))),
  );
  return [...layouts, ...fixtures, ...templates];
}

/**
 * From Python's library, including its own tests, some of which are invalid Python on purpose.
 *
 * @param share - One file out of this many, in order of path.
 */
export function libraryTexts(share: number): RealText[] {
  const folder = execFileSync(
    path.join(root, '.venv/bin/python'),
    ['-c', 'import sysconfig; print(sysconfig.get_path("stdlib"))'],
    { encoding: 'utf8' },
  ).trim();
  return globSync('**/*.py', { cwd: folder, exclude: ['site-packages/**'] })
    .toSorted()
    .filter((file, index) => index % share === 0 || /bad|token|grammar/.test(file))
    .flatMap((file) => pythonText(file, file, readFileSync(path.join(folder, file))));
}

function pythonText(title: string, file: string, bytes: Buffer): RealText[] {
  const decoded = file.endsWith('.py') ? decodeSource(bytes) : null;
  return decoded && 'text' in decoded ? [{ title, text: decoded.text }] : [];
}
