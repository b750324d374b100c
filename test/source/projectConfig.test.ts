import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { ToolkitError } from '../../runtime/contract/errors.ts';
import { readProjectConfig } from '../../runtime/source/projectConfig.ts';
import type { ProjectConfig } from '../../runtime/source/reading.ts';
import { writeProject } from './checkProject.ts';

const DEFAULTS: ProjectConfig = {
  app: 'project',
  python: null,
  requiresPython: null,
  isPythonOfFile: false,
  quota: 30,
  dependencies: [],
};

const READ: [title: string, files: Record<string, string>, config: Partial<ProjectConfig>][] = [
  ['uses the folder’s name and the defaults without pyproject.toml', {}, {}],
  [
    'reads the tables of pyproject.toml',
    {
      'pyproject.toml':
        '[project]\nname = "named"\ndependencies = ["a>=1", "b"]\n[tool.toolkit]\napp = "chosen"\npython = "3.12"\nquota = 5\n',
      '.python-version': '3.10\n',
    },
    { app: 'chosen', python: '3.12', quota: 5, dependencies: ['a>=1', 'b'] },
  ],
  [
    'turns the project’s name into a valid one',
    { 'pyproject.toml': '[project]\nname = "my.app x"\n' },
    { app: 'my-app-x' },
  ],
  [
    'reads the minor version from .python-version',
    { '.python-version': '# not 3.9\n\ncpython-3.11.7 # why\n3.12\n' },
    { python: '3.11', isPythonOfFile: true },
  ],
  [
    'reads the minor version from a full one',
    { 'pyproject.toml': '[tool.toolkit]\npython = "3.13.1"\n' },
    { python: '3.13' },
  ],
  [
    'ignores a .python-version that names no version of CPython',
    { '.python-version': 'pypy3.11\n3.11\n', 'pyproject.toml': '[project]\nrequires-python = ""\n' },
    {},
  ],
];

const REFUSED: [title: string, pyproject: string, message: RegExp][] = [
  ['broken TOML, with its line', '[project]\nname = \n', /line 2/],
  ['an invalid app name', '[tool.toolkit]\napp = "a b"\n', /app is "a b"/],
  ['a quota that is not a number', '[tool.toolkit]\nquota = "many"\n', /quota/],
  ['a python that is not a version', '[tool.toolkit]\npython = "newest"\n', /python/],
  ['a misspelled key', '[tool.toolkit]\npytohn = "3.11"\n', /has no key "pytohn"/],
  ['dependencies that are not a list', '[project]\ndependencies = "a"\n', /dependencies/],
  [
    'a requires-python that is not a string',
    '[project]\nrequires-python = 3.11\n',
    /requires-python must be a string/,
  ],
  ['a tool.toolkit that is not a table', '[tool]\ntoolkit = 1\n', /toolkit/],
];

describe('project configuration', () => {
  for (const [title, files, config] of READ) {
    it(title, () => assert.deepEqual(readProjectConfig(writeProject(files)), { ...DEFAULTS, ...config }));
  }
  for (const [title, pyproject, message] of REFUSED) {
    it(`refuses ${title}`, () => {
      const root = writeProject({ 'pyproject.toml': pyproject });
      assert.throws(
        () => readProjectConfig(root),
        (error) => {
          assert.ok(error instanceof ToolkitError);
          assert.equal(error.code, 'PROJECT_CONFIG');
          assert.match(error.message, /^pyproject\.toml: /);
          assert.match(error.message, message);
          assert.ok(error.hint);
          return true;
        },
      );
    });
  }
  it('refuses a .python-version that is not a file', () => {
    const root = writeProject({ '.python-version/a': '' });
    assert.throws(() => readProjectConfig(root), { code: 'PROJECT_CONFIG' });
  });
  it('refuses a pyproject.toml that is not UTF-8', () => {
    const root = writeProject({});
    writeFileSync(path.join(root, 'pyproject.toml'), Buffer.from('[project]\nname = "caf\xe9"\n', 'latin1'));
    assert.throws(() => readProjectConfig(root), { code: 'PROJECT_CONFIG', message: /is not UTF-8\.$/ });
  });
  it('is read by its path, also a relative one', () => {
    const root = writeProject({});
    assert.equal(readProjectConfig(path.relative(process.cwd(), root)).app, 'project');
  });
});
