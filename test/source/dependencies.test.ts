import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { isStandardLibrary } from '../../runtime/source/binder/standardLibrary.ts';
import { Dependencies } from '../../runtime/source/environment/Dependencies.ts';
import { normalizeName } from '../../runtime/source/environment/distributionName.ts';
import table from '../../runtime/source/environment/knownModules.json' with { type: 'json' };
import { mayApply, parseRequirement } from '../../runtime/source/environment/parseRequirement.ts';
import { requirementFault } from '../../runtime/source/environment/requirementFault.ts';
import { makeFolder, writeProject } from './checkProject.ts';

const PACKAGES = '.venv/lib/python3.11/site-packages';

/** An installed distribution, with the requirements from its metadata. */
function installed(name: string, module: string, requires: readonly string[] = []): Record<string, string> {
  const info = `${PACKAGES}/${name}-1.0.dist-info`;
  return {
    '.venv/pyvenv.cfg': 'version = 3.11.7\n',
    [`${PACKAGES}/${module}/__init__.py`]: '',
    [`${info}/RECORD`]: `${module}/__init__.py,,\n`,
    [`${info}/METADATA`]: `Name: ${name}\nVersion: 1.0\n${requires.map((text) => `Requires-Dist: ${text}\n`).join('')}\nText\n`,
  };
}

function dependenciesOf(files: Record<string, string>): Dependencies {
  return new Dependencies({ root: writeProject(files), env: {} });
}

describe('a requirement', () => {
  const CASES: [text: string, name: string | null, extras?: string[], marker?: string][] = [
    ['requests', 'requests'],
    ['Typing_Extensions>=4,<5', 'typing-extensions'],
    ['uvicorn[standard]>=0.30 ; python_version < "3.13"', 'uvicorn', ['standard'], 'python_version < "3.13"'],
    ['a[b, C_d] == 1.*', 'a', ['b', 'c-d']],
    ['pkg @ https://example.com/pkg-1.0-py3-none-any.whl', 'pkg'],
    [
      'pkg[gpu] @ git+https://example.com/pkg.git@v1 ; sys_platform == "linux"',
      'pkg',
      ['gpu'],
      'sys_platform == "linux"',
    ],
    ['pkg @ https://example.com/a;b.whl; os_name == "posix"', 'pkg', [], 'os_name == "posix"'],
    ['git+https://github.com/openai/CLIP.git', 'clip'],
    ['git+https://example.com/group/a_b.git@main#subdirectory=x&egg=Other.Name', 'other-name'],
    ['git+ssh://git@example.com/group/tool@1.2', 'tool'],
    ['https://example.com/files/some_tool-2.1.0-cp311-cp311-linux_x86_64.whl', 'some-tool'],
    ['./wheels/some_tool-2.1.0-py3-none-any.whl', 'some-tool'],
    ['https://example.com/some-tool-2.1.0.tar.gz', 'some-tool'],
    ['idna (>=2.5)', 'idna'],
    ['numpy=>1', null],
    ['https://example.com/archive/main', null],
    ['', null],
    ['!!', null],
  ];
  for (const [text, name, extras = [], marker = ''] of CASES) {
    it(`${JSON.stringify(text)} names ${name ?? 'nothing'}`, () => {
      assert.deepEqual(parseRequirement(text), name === null ? null : { name, extras, marker });
    });
  }

  const MARKERS: [marker: string, extras: string[], applies: boolean][] = [
    ['', [], true],
    ['extra == "gpu"', [], false],
    ['extra == "GPU_x"', ['gpu-x'], true],
    ['python_version < "3.8"', [], true],
    ['sys_platform == "win32"', [], false],
    ['sys_platform != "win32" and extra == "a"', ['a'], true],
    ['(python_version > "3" and platform_system == "Windows") or extra == "b"', [], false],
    ['(python_version > "3" and platform_system == "Windows") or extra == "b"', ['b'], true],
    ['(python_version < "3.8" or sys_platform == "linux") and extra == "gpu"', [], false],
    ['(python_version < "3.8" or sys_platform == "linux") and extra == "gpu"', ['gpu'], true],
    ["extra=='this or that' and (os_name=='nt'or((extra=='a')))", ['a'], false],
    ['((os_name == "posix"', [], true],
  ];
  for (const [marker, extras, applies] of MARKERS) {
    it(`${applies ? 'may apply' : 'does not apply'} with ${marker || 'no marker'} and extras [${extras.join()}]`, () => {
      assert.equal(mayApply(marker, new Set(extras)), applies);
    });
  }
});

describe('a marker', () => {
  const VALID = [
    'python_version<"4"and os_name=="posix"',
    "((os_name=='posix') or platform_machine == \"arm64\") and(python_full_version ~= '3.11.0')",
    '"linux" in sys_platform or python_version not  in "3.1, 3.2"',
    'os.name != "nt" and platform.python_implementation == python_implementation',
    `'os_name == "a" and (' == platform_release`,
    'extra == "gpu" and implementation_version >= "3" and platform_version === ""',
    '"a" in extras and "b" in dependency_groups',
  ];
  const INVALID = [
    '',
    'bad',
    'bad == "x"',
    'python_version',
    'python_version < 3',
    'python_version < "3',
    'python_version = "3"',
    'python_version <> "3"',
    '(os_name == "nt"',
    'os_name == "nt")',
    'os_name == "nt" or',
    'os_name == "nt" AND os_name == "posix"',
    'not os_name == "nt"',
    'os_name == "nt"; os_name == "posix"',
    'os_name == "nt" os_name == "posix"',
    'os_name == "a\\"b"',
    '()',
  ];
  for (const [expected, markers] of [
    [true, VALID],
    [false, INVALID],
  ] as const) {
    for (const marker of markers) {
      it(`${expected ? 'can' : 'cannot'} be ${JSON.stringify(marker)}`, () => {
        assert.equal(requirementFault(`six ; ${marker}`) === null, expected);
        assert.equal(requirementFault(`six @ https://example.org/six;1.whl ; ${marker}`) === null, expected);
      });
    }
  }
});

describe('the table of well-known modules', () => {
  it('contains only modules of other packages, with valid names of their distributions', () => {
    for (const [module, distributions] of Object.entries(table.modules)) {
      assert.ok(!isStandardLibrary(module), module);
      assert.ok(distributions.length > 0, module);
      for (const name of distributions) assert.equal(parseRequirement(name)?.name, normalizeName(name));
    }
  });
});

describe('dependencies', () => {
  it('provide the modules of an installed distribution, by any of its names', () => {
    const dependencies = dependenciesOf(installed('odd_name', 'module_of_it'));
    assert.equal(dependencies.distributionOf('module_of_it.part'), 'odd-name');
    assert.ok(dependencies.provides(['Odd.Name>=1'], 'module_of_it'));
    assert.ok(!dependencies.provides(['other'], 'module_of_it'));
  });

  it('provide what they require in turn, and extras only where they are requested', () => {
    const dependencies = dependenciesOf({
      ...installed('first', 'first', [
        'second>=1',
        'third ; extra == "more"',
        'fourth ; sys_platform == "win32"',
      ]),
      ...installed('second', 'second', ['first', 'deep[x]']),
      ...installed('deep', 'deep', ['deepest ; extra == "x"', 'never ; extra == "y"']),
    });
    const given = (requirement: string) =>
      ['first', 'second', 'third', 'fourth', 'deep', 'deepest', 'never'].filter((module) =>
        dependencies.provides([requirement], module),
      );
    assert.deepEqual(given('first'), ['first', 'second', 'deep', 'deepest']);
    assert.deepEqual(given('first[more]'), ['first', 'second', 'third', 'deep', 'deepest']);
    assert.deepEqual(given('unrelated'), []);
  });

  it('provide the modules of well-known extras, and any module for an unknown extra', () => {
    const dependencies = dependenciesOf(installed('first', 'first', ['second ; extra == "more"']));
    const CASES: [requirement: string, module: string, provides: boolean][] = [
      ['uvicorn[standard]', 'websockets', true],
      ['fastapi[all]>=0.100', 'uvicorn', true],
      ['transformers[torch]', 'accelerate', true],
      ['uvicorn[standard]', 'pandas', false],
      ['uvicorn', 'websockets', false],
      ['uvicorn[other]', 'pandas', true],
      ['tinker[x]', 'pandas', true],
      ['tinker', 'pandas', false],
      ['first[other]', 'second', false],
    ];
    for (const [requirement, module, provides] of CASES)
      assert.equal(dependencies.provides([requirement], module), provides, `${requirement} ${module}`);
  });

  it('ignore what the toolkit’s own distribution would require elsewhere', () => {
    const dependencies = dependenciesOf(installed('toolkit_sdk', 'toolkit_sdk', ['httpx']));
    assert.ok(!dependencies.provides(['toolkit-sdk'], 'httpx'));
  });

  it('provide any module when one of them cannot be read', () => {
    assert.ok(dependenciesOf({}).provides(['numpy=>1'], 'pandas'));
  });

  it('name the installed distribution when several provide a module', () => {
    assert.equal(dependenciesOf({}).distributionOf('cv2'), 'opencv-python');
    const headless = dependenciesOf(installed('opencv_python_headless', 'cv2'));
    assert.equal(headless.distributionOf('cv2'), 'opencv-python-headless');
    assert.ok(headless.provides(['opencv-contrib-python'], 'cv2'));
  });

  it('name only known distributions, and prefer one that installs without a compiler', () => {
    const dependencies = dependenciesOf({
      'requirements.txt': 'our_models>=1\n',
      'pylock.toml': '[[packages]]\nname = "locked"\ndependencies = [{ name = "locked-too" }]\n',
    });
    for (const module of ['app', 'app_internal.models', 'types_', 'google', 'zope'])
      assert.equal(dependencies.distributionOf(module), null, module);
    assert.equal(dependencies.distributionOf('our_models.small'), 'our-models');
    assert.equal(dependencies.distributionOf('locked'), 'locked');
    assert.equal(dependencies.distributionOf('locked_too'), 'locked-too');
    assert.equal(
      dependencies.distributionOf('tinker.x', () => ['Tinker[y]>=2']),
      'tinker',
    );
    assert.equal(dependencies.distributionOf('pandas.io'), 'pandas');
    assert.equal(dependencies.distributionOf('azure.ai.vision'), 'azure-ai-vision');
    assert.equal(dependencies.distributionOf('psycopg2.extras'), 'psycopg2-binary');
  });

  it('of a project come from requirements.txt and pyproject.toml, which are read again on a refresh', () => {
    const root = writeProject({
      'requirements.txt': '-r a.txt\none\n-c limits.txt\n-r missing.txt\n',
      'a.txt': '-r requirements.txt\ntwo>=2 # why\n',
      'limits.txt': 'three<3\n',
      'pyproject.toml': '[project]\ndependencies = ["four"]\n[dependency-groups]\ndev = ["five"]\n',
    });
    let dependencies = new Dependencies({ root, env: {} });
    assert.equal(dependencies.ofProject(), null);
    writeProject({ 'missing.txt': '' }, root);
    dependencies = dependencies.refreshed();
    assert.deepEqual(dependencies.ofProject(), ['two>=2', 'one', 'four']);
    assert.equal(dependencies.unreadPlaceOf('five'), '[dependency-groups] dev');
    assert.equal(dependencies.refreshed(), dependencies);
    const changed = () => {
      const before = dependencies.ofProject();
      const next = dependencies.refreshed();
      assert.equal(dependencies.ofProject(), before);
      dependencies = next;
      return next.ofProject();
    };
    writeProject({ 'a.txt': 'another\n' }, root);
    assert.deepEqual(changed(), ['another', 'one', 'four']);
    writeProject({ 'missing.txt': 'found\n' }, root);
    assert.deepEqual(changed(), ['another', 'one', 'found', 'four']);
    rmSync(`${root}/requirements.txt`);
    assert.deepEqual(changed(), ['four']);
  });

  for (const [encoding, mark] of [
    ['utf16le', [0xff, 0xfe]],
    ['utf16be', [0xfe, 0xff]],
    ['utf8', [0xef, 0xbb, 0xbf]],
  ] as const) {
    it(`are read from a requirements.txt that PowerShell or an editor wrote with the byte order mark of ${encoding}`, () => {
      const root = makeFolder();
      const text = 'requests==2.32\r\nrich\r\n';
      const bytes = Buffer.from(text, encoding === 'utf8' ? 'utf8' : 'utf16le');
      if (encoding === 'utf16be') bytes.swap16();
      writeFileSync(`${root}/requirements.txt`, Buffer.concat([Buffer.from(mark), bytes]));
      assert.deepEqual(new Dependencies({ root, env: {} }).ofProject(), ['requests==2.32', 'rich']);
    });
  }

  it("of a pyproject.toml that is open in an editor come from the editor's text", () => {
    const root = writeProject({ 'pyproject.toml': '[project]\ndependencies = ["old"]\n' });
    const shown = new Dependencies({ root, env: {} }).refreshed('[project]\ndependencies = ["new"]\n');
    assert.deepEqual(shown.ofProject(), ['new']);
    assert.deepEqual(shown.refreshed().ofProject(), ['old']);
  });

  const UNKNOWN: [title: string, files: Record<string, string>][] = [
    ['a folder of this machine', { 'requirements.txt': '-e ../lib\n' }],
    ['a requirements.txt of another encoding', { 'requirements.txt': 'a\0b\0' }],
    ['a pyproject.toml that is not TOML', { 'pyproject.toml': '[project]\ndependencies = [\n' }],
  ];
  for (const [title, files] of UNKNOWN) {
    it(`of a project with ${title} are unknown`, () => {
      assert.equal(dependenciesOf(files).ofProject(), null);
    });
  }

  it('find a virtual environment that is created later, after a refresh', () => {
    const root = makeFolder();
    const dependencies = new Dependencies({ root, env: {} });
    assert.equal(dependencies.distributionOf('odd'), null);
    writeProject(installed('strange', 'odd'), root);
    assert.equal(dependencies.refreshed().distributionOf('odd'), 'strange');
  });

  it('prefer the lock where it knows more than the environment', () => {
    const dependencies = dependenciesOf({
      ...installed('first', 'first', ['second']),
      'pylock.toml':
        '[[packages]]\nname = "Second"\ndependencies = [{ name = "Third_Party" }]\n[[packages]]\nversion = 1\n',
    });
    assert.ok(dependencies.provides(['first'], 'third_party'));
    assert.ok(!dependencies.provides(['other'], 'third_party'));
  });
});
