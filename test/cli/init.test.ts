import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { workbench } from '../setup/toolkit.ts';

const EIGHT = [
  '.env.example',
  '.gitignore',
  'README.md',
  'cpu_worker.py',
  'gpu_worker.py',
  'lb_worker.py',
  'pyproject.toml',
  'requirements.txt',
];

describe('toolkit init', () => {
  it('creates the eight files of the template in a folder of the given name', async (t) => {
    const bench = workbench(t);
    const ran = await bench.toolkit(bench.folder, ['init', 'demo', '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    const { project, files, next } = ran.json<{ project: string; files: string[]; next: string[] }>();
    assert.equal(project, path.join(bench.folder, 'demo'));
    assert.deepEqual(readdirSync(project).toSorted(), EIGHT);
    assert.deepEqual(files.toSorted(), EIGHT);
    assert.deepEqual(next, ['cd demo', 'toolkit check', 'toolkit deploy']);
    assert.match(readFileSync(path.join(project, '.env.example'), 'utf8'), /PLATFORM_API_KEY/);
    assert.match(readFileSync(path.join(project, 'pyproject.toml'), 'utf8'), /\[tool\.toolkit\]/);
    const checked = await bench.toolkit(project, ['check', '--json', '--strict']);
    assert.deepEqual(checked.json<{ diagnostics: unknown[] }>().diagnostics, []);
    assert.equal(checked.code, 0);
  });

  it('uses the current folder for ".", whose name becomes the app', async (t) => {
    const bench = workbench(t);
    const folder = path.join(bench.folder, 'here');
    mkdirSync(folder);
    assert.equal((await bench.toolkit(folder, ['init', '.'])).code, 0);
    assert.deepEqual(readdirSync(folder).toSorted(), EIGHT);
    const list = await bench.toolkit(folder, ['list', '--json']);
    assert.equal(list.json<{ app: string }>().app, 'here');
  });

  it('without a terminal refuses to overwrite files, names them, and writes nothing', async (t) => {
    const bench = workbench(t);
    const folder = path.join(bench.folder, 'taken');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'README.md'), 'mine');
    const ran = await bench.toolkit(bench.folder, ['init', 'taken']);
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /already has README\.md; nothing was written/);
    assert.match(ran.stderr, /--force/);
    assert.deepEqual(readdirSync(folder), ['README.md']);
  });

  for (const flag of ['-f', '--force']) {
    it(`overwrites existing files with ${flag}`, async (t) => {
      const bench = workbench(t);
      const folder = path.join(bench.folder, 'taken');
      mkdirSync(folder);
      writeFileSync(path.join(folder, 'README.md'), 'mine');
      assert.equal((await bench.toolkit(bench.folder, ['init', 'taken', flag])).code, 0);
      assert.match(readFileSync(path.join(folder, 'README.md'), 'utf8'), /^# taken/);
    });
  }

  for (const place of ['taken', 'taken/inside']) {
    it(`reports that a file is in the way of the folder ${place}`, async (t) => {
      const bench = workbench(t);
      writeFileSync(path.join(bench.folder, 'taken'), 'mine');
      const ran = await bench.toolkit(bench.folder, ['init', place]);
      assert.equal(ran.code, 1);
      assert.match(
        ran.stderr,
        /README\.md cannot be written: .*(taken is a file, not a folder|taken\/inside is a file)\./,
      );
    });
  }

  it('prints a command to enter the folder that a shell understands', async (t) => {
    const bench = workbench(t);
    const { stdout } = await bench.toolkit(bench.folder, ['init', 'my work/demo']);
    assert.match(stdout, /^ {2}cd 'my work\/demo'$/m);
  });

  for (const place of ['link', 'link/demo'])
    it(`reports that a link to nothing is in the way of the folder ${place}`, async (t) => {
      const bench = workbench(t);
      symlinkSync('gone', path.join(bench.folder, 'link'));
      const ran = await bench.toolkit(bench.folder, ['init', place]);
      assert.equal(ran.code, 1, ran.stderr);
      assert.match(
        ran.stderr,
        /README\.md cannot be written: .*\/link is a symbolic link to a path that does not exist\./,
      );
    });

  it('reports a place where the system allows no folders', async (t) => {
    const bench = workbench(t);
    const ran = await bench.toolkit(bench.folder, ['init', '/proc/demo']);
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /README\.md cannot be written: folders cannot be created in this location\./);
  });

  it('without a name and without a terminal is a usage error', async (t) => {
    const bench = workbench(t);
    const ran = await bench.toolkit(bench.folder, ['init', '--json']);
    assert.equal(ran.code, 2);
    assert.equal(ran.json<{ error: { code: string } }>().error.code, 'USAGE');
  });

  for (const [folder, app] of [
    ['my project', 'my-project'],
    ['.hidden', 'hidden'],
    ['Größe 2', 'Gro-e-2'],
    ['日本', 'app'],
  ] as const)
    it(`in a folder called "${folder}" names the app ${app}, and says so`, async (t) => {
      const bench = workbench(t);
      const here = path.join(bench.folder, folder);
      mkdirSync(here);
      const ran = await bench.toolkit(here, ['init', '.']);
      assert.equal(ran.code, 0, ran.stderr);
      assert.match(
        ran.stderr,
        new RegExp(`"${folder}" is not a valid app name, so the app is named "${app}"`),
      );
      const list = await bench.toolkit(here, ['list', '--json']);
      assert.equal(list.json<{ app: string }>().app, app);
    });

  it('refuses a name that is not valid for the platform', async (t) => {
    const bench = workbench(t);
    const ran = await bench.toolkit(bench.folder, ['init', 'my project']);
    assert.equal(ran.code, 2);
    assert.match(ran.stderr, /"my project" is not a valid project name/);
  });
});
