import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { normalizeName } from '../../runtime/source/environment/distributionName.ts';
import { Environment } from '../../runtime/source/environment/Environment.ts';
import { makeFolder, writeProject } from './checkProject.ts';

const PACKAGES = 'lib/python3.11/site-packages';

/** Files of one installed distribution below a prefix; `modules` are the files that its RECORD lists. */
function installed(name: string, modules: readonly string[], metadata = ''): Record<string, string> {
  const info = `${PACKAGES}/${name}-1.0.dist-info`;
  return {
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n${metadata}\n\nRequires-Dist: not-a-header\n`,
    [`${info}/RECORD`]: [...modules, `${name}-1.0.dist-info/METADATA`].map((file) => `${file},,\n`).join(''),
    ...Object.fromEntries(
      modules.filter((file) => !file.startsWith('..')).map((file) => [`${PACKAGES}/${file}`, '']),
    ),
  };
}

const CONFIG = { 'pyvenv.cfg': 'home = /nowhere/bin\nversion = 3.11.7\n' };

/** Puts a prefix's files into a folder of the project. */
function below(folder: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [`${folder}/${file}`, text]));
}

function environmentOf(files: Record<string, string>): Environment {
  const root = writeProject(below('.venv', { ...CONFIG, ...files }));
  return Environment.find({ root, env: {} });
}

function providers(environment: Environment, module: string): string[] {
  return environment.providersOf(module).map(({ normalized }) => normalized);
}

describe('the environment', () => {
  describe('of the repository itself, compared with Python', () => {
    const python = fileURLToPath(new URL('../../.venv/bin/python', import.meta.url));

    const ask = (expression: string): unknown =>
      JSON.parse(
        execFileSync(
          python,
          ['-c', `import json, importlib.metadata as m; print(json.dumps(${expression}))`],
          {
            encoding: 'utf8',
          },
        ),
      );

    it('has the distributions and versions of importlib.metadata', () => {
      const ofPython = ask(
        'sorted({(d.metadata["Name"], d.version) for d in m.distributions()})',
      ) as string[][];
      const found = Environment.find({ root: '/', env: {}, python }).distributions();
      assert.deepEqual(
        found.map(({ normalized, version }) => `${normalized} ${version}`).toSorted(),
        ofPython.map(([name, version]) => `${normalizeName(name!)} ${version}`).toSorted(),
      );
    });

    it('maps each module to the distributions that importlib.metadata names', () => {
      // A top_level.txt can name missing modules, like that of Debian's setuptools.
      const there = '__import__("importlib.machinery").machinery.PathFinder.find_spec(name)';
      const ofPython = ask(
        `{name: found for name, found in m.packages_distributions().items() if ${there}}`,
      ) as Record<string, string[]>;
      const environment = Environment.find({ root: '/', env: {}, python });
      assert.ok(Object.keys(ofPython).length > 10);
      for (const [module, names] of Object.entries(ofPython)) {
        const wanted = [...new Set(names.map(normalizeName))].toSorted();
        assert.deepEqual(providers(environment, module).toSorted(), wanted, module);
      }
    });

    it('reads requirements and summary from the metadata', () => {
      const ofPython = ask('m.requires("httpx")') as string[];
      const httpx = Environment.find({ root: '/', env: {}, python }).distribution('HTTPX');
      assert.equal(httpx?.summary, ask('m.metadata("httpx")["Summary"]'));
      assert.deepEqual(
        httpx?.requires?.map(({ name }) => name),
        ofPython.map((text) => normalizeName(/^[\w.-]+/.exec(text)![0])),
      );
    });
  });

  /**
   * Title, the files of the project, how Python is named. `ours` must be installed in the environment that is
   * found.
   */
  const PLACES: [
    title: string,
    files: Record<string, string>,
    search: (root: string) => { python?: string; env?: NodeJS.ProcessEnv },
  ][] = [
    ['the project’s .venv', below('.venv', { ...CONFIG, ...installed('ours', ['ours.py']) }), () => ({})],
    ['the project’s venv', below('venv', { ...CONFIG, ...installed('ours', ['ours.py']) }), () => ({})],
    [
      'VIRTUAL_ENV before the project’s own',
      {
        ...below('.venv', { ...CONFIG, ...installed('other', ['other.py']) }),
        ...below('active', { ...CONFIG, ...installed('ours', ['ours.py']) }),
      },
      (root) => ({ env: { VIRTUAL_ENV: `${root}/active` } }),
    ],
    [
      'TOOLKIT_PYTHON before VIRTUAL_ENV',
      {
        ...below('active', { ...CONFIG, ...installed('other', ['other.py']) }),
        ...below('chosen', { ...CONFIG, 'bin/python': '', ...installed('ours', ['ours.py']) }),
      },
      (root) => ({ env: { VIRTUAL_ENV: `${root}/active`, TOOLKIT_PYTHON: `${root}/chosen/bin/python` } }),
    ],
    [
      'the interpreter that an editor names, before all others',
      {
        ...below('.venv', { ...CONFIG, ...installed('other', ['other.py']) }),
        ...below('chosen', { 'bin/python3.11': '', ...installed('ours', ['ours.py']) }),
      },
      (root) => ({
        python: `${root}/chosen/bin/python3.11`,
        env: { TOOLKIT_PYTHON: `${root}/.venv/bin/python` },
      }),
    ],
    [
      'a folder that an editor names',
      below('chosen', { ...CONFIG, ...installed('ours', ['ours.py']) }),
      () => ({ python: './chosen' }),
    ],
    [
      'the Python on PATH, after folders without one',
      below('usr', { 'bin/python3': '', ...installed('ours', ['ours.py']) }),
      (root) => ({ env: { PATH: `${root}/none:relative:${root}/usr/bin` } }),
    ],
    [
      'Debian’s folders of a Python on PATH',
      {
        'usr/bin/python3': '',
        'usr/lib/python3/dist-packages/ours-1.0.dist-info/METADATA': '',
      },
      (root) => ({ env: { PATH: `${root}/usr/bin` } }),
    ],
    [
      'the version that a pyenv shim would choose',
      {
        '.python-version': '3.11\n',
        'pyenv/shims/python3': '#!/usr/bin/env bash\n',
        ...below('pyenv/versions/3.10.1', installed('other', ['other.py'])),
        ...below('pyenv/versions/3.11.7', installed('ours', ['ours.py'])),
      },
      (root) => ({ env: { PATH: `${root}/pyenv/shims` } }),
    ],
    [
      'the system packages, for a virtual environment that includes them',
      {
        'usr/bin/python3.11': '',
        ...below('usr', installed('ours', ['ours.py'])),
        '.venv/pyvenv.cfg': 'home = ROOT/usr/bin\ninclude-system-site-packages = true\nversion = 3.11.7\n',
        ...below('.venv', installed('own', ['own.py'])),
      },
      () => ({}),
    ],
  ];
  for (const [title, files, search] of PLACES) {
    it(`is ${title}`, () => {
      const root = makeFolder();
      writeProject(
        Object.fromEntries(Object.entries(files).map(([file, text]) => [file, text.replace('ROOT', root)])),
        root,
      );
      const environment = Environment.find({ root, env: {}, ...search(root) });
      assert.equal(environment.distribution('Ours')?.version, '1.0');
      assert.equal(environment.distribution('other'), null);
    });
  }

  it("follows a link on PATH, and uses a virtual environment's own Python when it has one", () => {
    const root = writeProject({
      ...below('usr', { 'bin/python3.11': '', ...installed('ours', ['ours.py']) }),
      ...below('env', { ...CONFIG, ...installed('own', ['own.py']) }),
    });
    mkdirSync(`${root}/links`);
    mkdirSync(`${root}/env/bin`);
    symlinkSync(`${root}/usr/bin/python3.11`, `${root}/links/python3`);
    symlinkSync(`${root}/usr/bin/python3.11`, `${root}/env/bin/python3`);
    rmSync(`${root}/.venv`, { recursive: true, force: true });
    assert.ok(Environment.find({ root: '/', env: { PATH: `${root}/links` } }).distribution('ours'));
    assert.ok(Environment.find({ root: '/', env: { PATH: `${root}/env/bin` } }).distribution('own'));
  });

  it('is empty without a Python', () => {
    const environment = Environment.find({
      root: makeFolder(),
      python: '/no/python',
      env: { PATH: '/none' },
    });
    assert.deepEqual([environment.folders, environment.distributions()], [[], []]);
    assert.deepEqual(providers(environment, 'requests'), []);
  });

  const ODD = environmentFiles();
  const PROVIDERS: [module: string, distributions: string[]][] = [
    ['cv2', ['opencv-python']],
    ['six', ['six']],
    ['_yaml', ['pyyaml']],
    ['yaml', ['pyyaml']],
    ['google.protobuf', ['protobuf']],
    ['google.protobuf.message', ['protobuf']],
    ['google.cloud.storage', ['google-cloud-storage']],
    ['google.cloud.storage.blob', ['google-cloud-storage']],
    ['google', ['google-cloud-storage', 'protobuf']],
    ['old_style', ['old-style']],
    ['debian_style', []],
    ['edited', ['edited']],
    ['edited_flat', ['edited']],
    ['none_such', []],
    ['bin', []],
  ];
  for (const [module, distributions] of PROVIDERS) {
    it(`names ${distributions.join(' and ') || 'nothing'} for ${module}`, () => {
      assert.deepEqual(providers(environmentOf(ODD), module).toSorted(), distributions);
    });
  }

  it('does not change until it is refreshed, and then reports what was installed or removed', () => {
    const root = writeProject(below('.venv', { ...CONFIG, ...installed('one', ['one.py']) }));
    const search = { root, env: {} };
    const before = Environment.find(search);
    const given = (environment: Environment) =>
      ['one', 'two'].map((module) => providers(environment, module));
    assert.deepEqual(given(before), [['one'], []]);
    assert.equal(before.refreshed(search), before);
    writeProject(below('.venv', installed('two', ['two.py'])), root);
    rmSync(`${root}/.venv/${PACKAGES}/one-1.0.dist-info`, { recursive: true });
    // Two changes can get the same time stamp on some file systems.
    utimesSync(`${root}/.venv/${PACKAGES}`, 1, 1);
    assert.deepEqual(given(before.refreshed(search)), [[], ['two']]);
    assert.deepEqual(given(before), [['one'], []]);
  });

  it('reads the packages that generated code of editable installations maps, without executing it', () => {
    const finder = '__editable___tools_1_0_finder.py';
    const impl = '_editable_impl_hatched.py';
    const environment = environmentOf({
      ...installed('tools', [finder, '__editable__.tools-1.0.pth']),
      [`${PACKAGES}/${finder}`]:
        'raise SystemExit(1)\nMAPPING: dict[str, str] = {\'our_tools\': \'/src/our_tools\', "more": "/src/more"}\nNAMESPACES = {}\n',
      [`${PACKAGES}/__editable__.tools-1.0.pth`]: 'import __editable___tools_1_0_finder\n',
      ...installed('hatched', [impl]),
      [`${PACKAGES}/${impl}`]:
        'from editables.redirector import RedirectingFinder as F\nF.install()\nF.map_module("eggs", "/src/eggs/__init__.py")\n',
    });
    assert.deepEqual(providers(environment, 'our_tools'), ['tools']);
    assert.deepEqual(providers(environment, 'more.part'), ['tools']);
    assert.deepEqual(providers(environment, 'eggs'), ['hatched']);
    assert.deepEqual(providers(environment, 'src'), []);
  });

  it('reads the requirements of old installations from a separate file', () => {
    const info = `${PACKAGES}/old-1.0.egg-info`;
    const environment = environmentOf({
      [`${info}/PKG-INFO`]: 'Metadata-Version: 1.1\nName: old\nVersion: 1.0\n',
      [`${info}/requires.txt`]:
        'six>=1\n\n[:sys_platform == "win32"]\ncolorama\n\n[fast]\nujson\n\n[fast:os_name == "nt"]\nother\n',
    });
    assert.deepEqual(environment.distribution('old')?.requires, [
      { name: 'six', extras: [], marker: '' },
      { name: 'colorama', extras: [], marker: '(sys_platform == "win32")' },
      { name: 'ujson', extras: [], marker: 'extra == "fast"' },
      { name: 'other', extras: [], marker: '(os_name == "nt") and extra == "fast"' },
    ]);
  });

  it('reads what it can from metadata that are damaged, empty or a folder', () => {
    const environment = environmentOf({
      ...installed('good', ['good.py']),
      [`${PACKAGES}/empty-1.0.dist-info/METADATA`]: '',
      [`${PACKAGES}/folder-2.0.dist-info/METADATA/inside`]: '',
      [`${PACKAGES}/binary-3.0.dist-info/RECORD`]: '\u0000\uFFFD\r\n,,,\r\nbinary/__init__.py,,\r\n',
      [`${PACKAGES}/binary/__init__.py`]: '',
      [`${PACKAGES}/.dist-info/METADATA`]: '',
      [`${PACKAGES}/~ood-1.0.dist-info/METADATA`]: '',
      [`${PACKAGES}/plain_file-1.0.dist-info`]: '',
    });
    const names = environment.distributions().map(({ name, summary, requires }) => [name, summary, requires]);
    // Without metadata, anything can be required.
    assert.deepEqual(names, [
      ['binary', null, null],
      ['empty', null, null],
      ['folder', null, null],
      ['good', null, []],
      ['plain-file', null, null],
    ]);
    assert.deepEqual(providers(environment, 'binary'), ['binary']);
    assert.deepEqual(providers(environment, 'good'), ['good']);
  });
});

/** Distributions of every kind that installers create. */
function environmentFiles(): Record<string, string> {
  return {
    ...installed('opencv_python', [
      'cv2/__init__.py',
      'cv2/cv2.abi3.so',
      '../../../bin/tool',
      'opencv_python.libs/x.so',
    ]),
    ...installed('six', ['six.py', '__pycache__/six.cpython-311.pyc']),
    ...installed('PyYAML', ['yaml/__init__.py', '_yaml/__init__.py']),
    [`${PACKAGES}/PyYAML-1.0.dist-info/top_level.txt`]: '_yaml\nyaml\n',
    ...installed('protobuf', [
      'google/protobuf/__init__.py',
      'google/protobuf/message.py',
      'google/_upb/_message.abi3.so',
    ]),
    ...installed('google_cloud_storage', [
      'google/cloud/storage/__init__.py',
      'google/cloud/storage/blob.py',
    ]),
    [`${PACKAGES}/old_style-2.0-py3.11.egg-info/PKG-INFO`]: 'Name: old-style\nVersion: 2.0\n',
    [`${PACKAGES}/old_style-2.0-py3.11.egg-info/top_level.txt`]: 'old_style\n',
    [`${PACKAGES}/old_style/__init__.py`]: '',
    [`${PACKAGES}/debian_style-2.0.egg-info`]: 'Name: debian-style\nVersion: 2.0\n',
    [`${PACKAGES}/debian_style/__init__.py`]: '',
    ...installed('edited', ['__editable__.edited-1.0.pth']),
    [`${PACKAGES}/__editable__.edited-1.0.pth`]: '../../../elsewhere/src\nimport site\n/no/such/folder\n',
    'elsewhere/src/edited/__init__.py': '',
    'elsewhere/src/edited_flat.py': '',
  };
}
