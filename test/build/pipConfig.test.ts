/** Compares how the toolkit reads pip's settings with what pip itself reads. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readPipConfig } from '../../runtime/build/dependencies/pipConfig.ts';
import { ensurePython } from '../setup/python.ts';
import { scratch } from './scratch.ts';

ensurePython();
/** A virtual environment has its own file. */
const PYTHON = path.join(import.meta.dirname, '../../.venv/bin/python');

/** What `pip config list` prints for the sections that affect installation; a later one wins. */
function pipSays(env: NodeJS.ProcessEnv): Map<string, string> {
  const text = execFileSync(PYTHON, ['-m', 'pip', 'config', 'list'], { env, encoding: 'utf8' });
  const found = new Map<string, string>();
  for (const section of ['global', 'install']) {
    for (const [, name, option, value] of text.matchAll(/^([\w-]+)\.([\w-]+)='(.*)'$/gm)) {
      if (name === section) found.set(option!, value!.replaceAll('\\n', ' ').trim());
    }
  }
  return found;
}

const TEXTS: { title: string; text: string }[] = [
  { title: 'a plain file', text: '[global]\nindex-url = https://a.example/simple\nno-index=true\n' },
  {
    title: 'continuation lines, comments and empty values',
    text: '; one\n[global]\n# two\nextra-index-url =\n    https://a.example/simple\n    https://b.example/simple\nfind-links: /a b\nproxy =\n',
  },
  {
    title: 'other spellings of names, and sections of commands',
    text: '[install]\nINDEX_URL = https://install.example\n[global]\n--index-url = https://global.example\n[download]\nindex-url = https://no.example\n',
  },
  {
    title: 'a value with special characters',
    text: '[global]\nindex-url = https://me:p=w:d@a.example/simple?x=1#y\n',
  },
];

for (const { title, text } of TEXTS) {
  test(`reads ${title} as pip does`, () => {
    const home = scratch();
    mkdirSync(path.join(home, '.config/pip'), { recursive: true });
    writeFileSync(path.join(home, '.config/pip/pip.conf'), text);
    const env = { PATH: process.env.PATH, HOME: home };
    assert.deepEqual(sorted(readPipConfig(PYTHON, env)), sorted(pipSays(env)));
  });
}

test('uses the same one of several files as pip', () => {
  const home = scratch();
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
    writeFileSync(path.join(home, file), `[global]\n${text}`);
  };
  write('shared/pip/pip.conf', 'client-cert = shared\nroot = shared\nsrc = shared\n');
  write('.pip/pip.conf', 'root = legacy\nsrc = legacy\n');
  write('own/pip/pip.conf', 'src = own\n');
  write('named.conf', 'prefix = named\n');
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_DIRS: path.join(home, 'shared'),
    XDG_CONFIG_HOME: path.join(home, 'own'),
  };
  const found = readPipConfig(PYTHON, env);
  assert.deepEqual(
    ['client-cert', 'root', 'src'].map((option) => found.get(option)),
    ['shared', 'legacy', 'own'],
  );
  // The machine can have its own file.
  assert.deepEqual(sorted(found), sorted(pipSays(env)));
  const named = { ...env, PIP_CONFIG_FILE: path.join(home, 'named.conf') };
  const expected = pipSays(named);
  assert.deepEqual(sorted(readPipConfig(PYTHON, named)), sorted(expected));
  assert.equal(expected.get('src'), 'shared', "a named file replaces the user's own one");
  assert.deepEqual(sorted(readPipConfig(PYTHON, { ...env, PIP_CONFIG_FILE: '/dev/null' })), []);
});

function sorted(settings: Map<string, string>): [string, string][] {
  return [...settings].map(([name, value]): [string, string] => [name, value.trim()]).sort();
}
