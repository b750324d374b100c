/** The import rules of ARCHITECTURE.md hold: the lint rules refuse each forbidden import and allow each allowed one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeProject } from './setup/toolkit.ts';

const root = path.join(import.meta.dirname, '..');
const ROOMS = ['contract', 'source', 'build', 'deploy', 'dev', 'platform', 'cli'] as const;
/** Folder → rooms that it can import. */
const ALLOWED: Record<string, readonly string[]> = {
  'runtime/contract': [],
  'runtime/source': ['contract'],
  'runtime/build': ['contract', 'source'],
  'runtime/deploy': ['contract', 'source', 'build'],
  'runtime/dev': ['contract', 'source', 'build', 'deploy'],
  'runtime/platform': ['contract'],
  'runtime/cli': ['contract', 'source', 'build', 'deploy', 'dev'],
  server: ['contract', 'source'],
  client: ['contract'],
};

describe('import rules', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'walls-'));
    copyFileSync(path.join(root, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [from, allowed] of Object.entries(ALLOWED)) {
    for (const to of ROOMS) {
      if (from === `runtime/${to}`) continue;
      const may = allowed.includes(to);
      it(`${from} ${may ? 'may' : 'may not'} import runtime/${to}`, () => {
        const target = from.startsWith('runtime/') ? `../${to}/thing.ts` : `../runtime/${to}/thing.ts`;
        const file = `${from}/imports-${to}.ts`;
        writeProject(folder, {
          [file]: `import { thing } from '${target}';\n\nexport const used = thing;\n`,
        });
        const ran = spawnSync(path.join(root, 'node_modules/.bin/oxlint'), [file], {
          cwd: folder,
          encoding: 'utf8',
        });
        assert.equal(/no-restricted-imports/.test(ran.stdout), !may, ran.stdout + ran.stderr);
      });
    }
  }
});

describe('the floors of runtime/source', () => {
  /** From the lowest. Folders in one list are on the same floor. */
  const FLOORS = [
    ['syntax'],
    ['binder'],
    ['declarations'],
    ['environment', 'discovery'],
    ['snapshot'],
    ['fixes', 'references'],
    ['findings'],
  ];
  const floorOf = (folder: string) => FLOORS.findIndex((floor) => floor.includes(folder));
  const source = path.join(root, 'runtime/source');

  for (const folder of FLOORS.flat()) {
    it(`${folder} imports nothing from above it`, () => {
      for (const file of globSync(`${folder}/**/*.ts`, { cwd: source })) {
        const text = readFileSync(path.join(source, file), 'utf8');
        for (const [, imported] of text.matchAll(/from '\.\.\/(\w+)\//g)) {
          const floor = floorOf(imported!);
          assert.ok(floor <= floorOf(folder), `${file} imports ${imported}`);
        }
      }
    });
  }
});
