/**
 * The build as a whole: what the artifact contains, when it is identical, and what a failed build leaves
 * behind.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { unzipSync } from 'fflate';
import { sdkWheel } from '../../runtime/build/code/sdkCopy.ts';
import { groupOfGpuType } from '../../runtime/contract/hardware.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { listArchive, makeProject, queueWorker, readArchived, WORKER_WHEELS } from './projects.ts';
import { scratch } from './scratch.ts';
import { writeWheel } from './wheels.ts';

const API = `from toolkit_sdk import Endpoint

api = Endpoint(name="text-api", cpu="cpu3c-1-2", dependencies=["demo"])


@api.post("/analyze")
def analyze(text: str) -> dict:
    """Counts."""
    return {"text": text}


@api.post("/report")
async def report(text: str) -> dict:
    from gpu_worker import sentiment

    return await sentiment(text)
`;

const GPU = `from toolkit_sdk import Endpoint, GpuGroup

SCALE = 2


@Endpoint(name="sentiment", gpu=GpuGroup.ADA_24, workers=(1, 2))
async def sentiment(text: str, *, top: int = 1) -> dict:
    """Says "how" it feels."""
    return {"text": text}
`;

const DEMO = { name: 'demo', files: { 'demo/__init__.py': 'x = 1\n' } };

function app(): ReturnType<typeof makeProject> {
  return makeProject({ 'text_api.py': API, 'gpu_worker.py': GPU, 'data/words.txt': 'good\n' }, [
    ...WORKER_WHEELS,
    DEMO,
  ]);
}

describe('an artifact', () => {
  test('contains toolkit_sdk without the code that runs workers', async () => {
    const built = await app().build();
    const shipped = listArchive(built.artifact).filter((name) => name.startsWith('toolkit_sdk/'));
    const packed = Object.keys(unzipSync(readFileSync(sdkWheel()))).filter((name) =>
      name.startsWith('toolkit_sdk/'),
    );
    const isAgent = (name: string) => name.startsWith('toolkit_sdk/_agent/');
    assert.deepEqual(shipped.toSorted(), packed.filter((name) => !isAgent(name)).toSorted());
  });

  test('has the metadata of the project, as if it were installed', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one') });
    const described = async (pyproject: string) => {
      project.write({ 'pyproject.toml': pyproject });
      const unpacked = scratch();
      execFileSync('tar', ['xzf', (await project.build()).artifact, '-C', unpacked]);
      const code = `import json
from importlib.metadata import distributions
own = [one for one in distributions(path=["."])]
print(json.dumps([[one.name, one.version, sorted([e.name, e.value, e.group] for e in one.entry_points)] for one in own]))`;
      return JSON.parse(
        execFileSync('python3', ['-c', code], { cwd: unpacked, encoding: 'utf8' }),
      ) as unknown;
    };
    const text = `[project]
name = "My.Shop"
version = "1.0-rc1"
[project.scripts]
shop = "shop.main:run"
[project.entry-points."shop.plugins"]
plain = "shop.plugins:Plain"
`;
    assert.deepEqual(await described(text), [
      [
        'My.Shop',
        '1.0-rc1',
        [
          ['plain', 'shop.plugins:Plain', 'shop.plugins'],
          ['shop', 'shop.main:run', 'console_scripts'],
        ],
      ],
    ]);
    for (const without of [
      '[project]\nname = "shop"\ndynamic = ["version"]\n',
      '[project]\nname = "../x"\nversion = "1"\n',
    ])
      assert.deepEqual(await described(without), []);
  });

  test('has no packages for calls of endpoints of a file that do not call each other', async () => {
    const two = (body: string) => `from toolkit_sdk import Endpoint


@Endpoint(name="one")
def one():
    """Answer."""


@Endpoint(name='two')
def two():
    """Answer."""
    ${body}
`;
    const project = makeProject({ 'worker.py': two('return 2') }, WORKER_WHEELS);
    const locked = async () => readArchived((await project.build()).artifact, 'requirements.txt');
    assert.equal(await locked(), '');
    project.write({ 'worker.py': two('return one()') });
    assert.match(await locked(), /^httpx==/m);
  });

  test('contains the files, handlers, stubs, manifest, locked set, dependencies and toolkit_sdk', async () => {
    const project = app();
    const built = await project.build();
    const names = listArchive(built.artifact);
    for (const name of [
      'text_api.py',
      'gpu_worker.py',
      'data/words.txt',
      'requirements.txt',
      'toolkit_manifest.json',
      '_toolkit/handlers/text-api.py',
      '_toolkit/handlers/sentiment.py',
      '_toolkit/stubs/gpu_worker.py',
      'toolkit_sdk/__init__.py',
      'toolkit_sdk/py.typed',
      '_toolkit/dependencies/all/demo/__init__.py',
      '_toolkit/dependencies/all/demo-1.0.dist-info/RECORD',
    ]) {
      assert.ok(names.includes(name), name);
    }
    assert.equal(new Set(names).size, names.length, 'contains no name twice');
    assert.equal(
      readArchived(built.artifact, 'requirements.txt'),
      'demo==1.0\nfastapi==0.115.0\nhttpx==0.27.0\nuvicorn==0.30.0\n',
    );
    assert.deepEqual(
      readArchived(built.artifact, 'toolkit_manifest.json'),
      readFileSync(built.manifestPath, 'utf8'),
    );
    assert.equal(built.sha256, hash('sha256', readFileSync(built.artifact)));
    assert.equal(built.bytes, readFileSync(built.artifact).length);
    assert.deepEqual(readdirSync(path.join(project.root, '.toolkit')).sort(), [
      'artifact.tar.gz',
      'toolkit_manifest.json',
    ]);
  });

  test('has two parts, each with its own hash and identity', async () => {
    const built = await app().build();
    const bytes = readFileSync(built.artifact);
    assert.deepEqual(
      built.parts.map(({ role, dependencySet }) => [role, dependencySet]),
      [
        ['dependencies', 'all'],
        ['code', null],
      ],
    );
    assert.equal(
      built.parts.reduce((sum, { size }) => sum + size, 0),
      bytes.length,
    );
    for (const part of built.parts) {
      assert.equal(part.file, built.artifact);
      assert.equal(hash('sha256', bytes.subarray(part.offset, part.offset + part.size)), part.sha256);
    }
  });

  test('writes handlers and stubs in the agreed form', async () => {
    const built = await app().build();
    assert.equal(
      readArchived(built.artifact, '_toolkit/handlers/text-api.py'),
      `"""Handler of the endpoint "text-api": made by the build, run by the worker."""
from toolkit_sdk._worker import serve_load_balanced

STUBS = {"gpu_worker": "_toolkit/stubs/gpu_worker.py"}
ROUTES = [
    ("POST", "/analyze", "text_api", "text_api.py", "analyze"),
    ("POST", "/report", "text_api", "text_api.py", "report"),
]

if __name__ == "__main__":
    serve_load_balanced("text-api", ROUTES, STUBS)
`,
    );
    assert.match(
      readArchived(built.artifact, '_toolkit/handlers/sentiment.py'),
      /STUBS = \{\}\nFUNCTION = \("gpu_worker", "gpu_worker\.py", "sentiment"\)\n[^]*serve_queue\("sentiment", FUNCTION, STUBS\)/,
    );
    assert.match(
      readArchived(built.artifact, '_toolkit/stubs/gpu_worker.py'),
      /sentiment = remote_function\(endpoint="sentiment", module="gpu_worker", name="sentiment", parameters=\(\("text", "positional-or-keyword", True\), \("top", "keyword-only", False\)\), is_async=True, route=None, description="Says \\"how\\" it feels\."\)/,
    );
  });

  test('writes every field of the declaration into the manifest', async () => {
    const project = makeProject({
      'worker.py': `import os
from toolkit_sdk import Endpoint, GpuType

@Endpoint(name="full", gpu=GpuType.NVIDIA_L4, workers=(1, 4), idle_timeout=300, gpu_count=2, execution_timeout=30,
          max_concurrency=3, image="me/image:1", env={"MODE": "fast", "TOKEN": os.environ["SECRET_TOKEN"]})
def full(text: str) -> str:
    """Does."""
    return text
`,
    });
    const built = await project.build();
    const { fingerprint, ...full } = project.manifest().full!;
    assert.deepEqual(full, {
      name: 'full',
      kind: 'queue',
      image: 'me/image:1',
      hardware: { gpu: groupOfGpuType('NVIDIA_L4'), gpuTypes: ['NVIDIA_L4'] },
      workersMin: 1,
      workersMax: 4,
      idleTimeout: 300,
      gpuCount: 2,
      executionTimeout: 30,
      maxConcurrency: 3,
      env: { MODE: 'fast' },
      python: '3.11',
      dependencies: [],
      excluded: [],
      baseLayer: [],
      dependencySet: 'all',
      functions: [{ name: 'full', class: null, module: 'worker', file: 'worker.py', async: false }],
      routes: [],
      handler: '_toolkit/handlers/full.py',
      command: null,
    });
    assert.match(fingerprint.code, /^[0-9a-f]{64}$/);
    assert.match(
      readArchived(built.artifact, '_toolkit/handlers/full.py'),
      /VARIABLES = \("SECRET_TOKEN",\)\n[^]*serve_queue\("full", FUNCTION, STUBS, VARIABLES\)/,
      'the worker learns which variables the declarations read',
    );
    assert.deepEqual(
      built.parts.map(({ role }) => role),
      ['code'],
      'nothing to install: no dependencies part',
    );
  });

  test('is byte-identical in a second build, in another folder, and with empty caches', async () => {
    const project = app();
    const first = await project.build();
    assert.equal((await project.build()).sha256, first.sha256);
    const elsewhere = app();
    cpSync(path.join(project.root, 'pylock.toml'), path.join(elsewhere.root, 'pylock.toml'));
    assert.equal((await elsewhere.build({ env: project.env })).sha256, first.sha256);
  });

  test('reports the warnings of a check, and only counts those after the tenth', async () => {
    const imports = Array.from({ length: 13 }, (_, at) => `    import absent_${at}\n`).join('');
    const project = makeProject({
      'worker.py': `from toolkit_sdk import Endpoint\n@Endpoint(name="one")\ndef one():\n    """One."""\n${imports}`,
    });
    const { events } = await project.build();
    const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    assert.equal(warnings.length, 11);
    assert.equal(
      warnings[0],
      "worker.py:5:12: absent_0 is found neither in the project nor among installed or known packages, so a worker could not import it. Correct the module's name, or add its package to dependencies.",
    );
    assert.equal(warnings[10], 'The project has 3 more warnings. Run "toolkit check" to list them.');
  });

  test('reports which secret files .toolkitignore adds to the artifact', async () => {
    const project = makeProject({
      'worker.py': queueWorker('one'),
      '.toolkitignore': '!public.pem\n!.aws\n',
      'public.pem': '',
      '.aws/config': '',
    });
    const { artifact, events } = await project.build();
    assert.ok(listArchive(artifact).includes('public.pem'));
    const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    assert.deepEqual(warnings, [
      '.toolkitignore re-includes files that are never part of the artifact by default, so it contains them: .aws/config, public.pem.',
    ]);
  });

  test('refuses a file whose name is not valid UTF-8', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one') });
    writeFileSync(Buffer.concat([Buffer.from(`${project.root}/bad`), Buffer.from([0xff])]), '');
    await assert.rejects(project.build(), {
      code: 'PROJECT_HAS_ERRORS',
      message: 'bad\uFFFD is part of the artifact, but cannot be read.',
      hint: 'Rename it: its name is not valid UTF-8.',
    });
  });

  test("never contains secrets, virtual environments, version control or the toolkit's own files", async () => {
    const project = app();
    const secrets = [
      '.env',
      '.env.local',
      'prod.env',
      'my.pem',
      'a.key',
      'id_rsa',
      'credentials.json',
      '.netrc',
      '.npmrc',
      '.pypirc',
    ];
    for (const name of secrets) project.write({ [name]: 'canary', [`sub/${name}`]: 'canary' });
    project.write({
      '.ssh/config': 'canary',
      '.aws/credentials': 'canary',
      '.git/config': 'canary',
      'old/pyvenv.cfg': '',
    });
    project.write({
      'old/lib/site.py': 'canary',
      '__pycache__/a.pyc': 'canary',
      '_toolkit/handlers/x.py': 'canary',
    });
    const built = await project.build();
    const again = await project.build();
    const shipped = listArchive(again.artifact).filter(
      (name) => !name.startsWith('_toolkit/') && !name.startsWith('toolkit_sdk/'),
    );
    assert.deepEqual(shipped.sort(), [
      'data/words.txt',
      'gpu_worker.py',
      'pyproject.toml',
      'requirements.txt',
      'text_api.py',
      'toolkit_manifest.json',
    ]);
    const raw = readFileSync(built.artifact);
    for (const name of listArchive(built.artifact))
      assert.ok(!readArchived(built.artifact, name).includes('canary'), name);
    assert.ok(!raw.includes(project.root), 'no path');
  });

  test('refuses project files with a name that the build itself writes', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one'), 'toolkit_manifest.json': '{}' });
    await assert.rejects(project.build(), {
      code: 'SHIPPED_NAME_CLASH',
      message:
        /^toolkit_manifest\.json cannot be part of the artifact: this path is reserved for files that the build creates\.$/,
    });
  });

  test('combines the routes of instances whose variables are the same, in any order', async () => {
    const routes = (name: string, env: string) =>
      `from toolkit_sdk import Endpoint\napi = Endpoint(name="api", env=${env})\n\n@api.get("/${name}")\ndef ${name}():\n    """Answer."""\n`;
    const project = makeProject({
      'one.py': routes('one', '{"A": "1", "B": "2"}'),
      'two.py': routes('two', '{"B": "2", "A": "1"}'),
    });
    await project.build();
    const paths = project.manifest()['api']!.routes.map((route) => route.path);
    assert.deepEqual(paths, ['/one', '/two']);
  });

  test('is written where --output says', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one') });
    const output = path.join(scratch(), 'deep/app.tar.gz');
    const built = await project.build({ output });
    assert.equal(built.artifact, output);
    assert.ok(listArchive(output).includes('worker.py'));
    assert.ok(!existsSync(path.join(project.root, '.toolkit/artifact.tar.gz')));
  });

  test('does not contain an earlier artifact that --output left in the project', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one') });
    const output = path.join(project.root, 'app.tar.gz');
    const first = await project.build({ output });
    const again = await project.build({ output });
    assert.equal(again.sha256, first.sha256);
    assert.ok(!listArchive(output).includes('app.tar.gz'));
  });
});

describe('the build folder', () => {
  test('is kept on request and cleared by the next build', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one') });
    await project.build({ keepBuild: true });
    const folder = path.join(project.root, '.toolkit/.build');
    assert.ok(existsSync(path.join(folder, '_toolkit/handlers/one.py')));
    await project.build();
    assert.ok(!existsSync(folder));
  });

  test('is cleared of what a killed build left behind', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one') });
    const left = path.join(project.root, '.toolkit/.build/999999999-1');
    mkdirSync(left, { recursive: true });
    writeFileSync(path.join(left, 'artifact.tar.gz'), 'half');
    await project.build();
    assert.ok(!existsSync(path.join(project.root, '.toolkit/.build')));
  });

  test('is moved to another file system when --output names one', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one') });
    const other = mkdtempSync('/dev/shm/toolkit-output-');
    try {
      assert.notEqual(statSync(other).dev, statSync(project.root).dev);
      const output = path.join(other, 'artifact.tar.gz');
      const { sha256 } = await project.build({ output });
      assert.equal(hash('sha256', readFileSync(output)), sha256);
      assert.deepEqual(readdirSync(other), ['artifact.tar.gz']);
    } finally {
      rmSync(other, { recursive: true });
    }
  });

  test('keeps the files of another build that is running', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one') });
    const other = path.join(project.root, `.toolkit/.build/${process.pid}-0`);
    mkdirSync(other, { recursive: true });
    await project.build();
    assert.ok(existsSync(other));
  });

  test('packs a file that grows meanwhile, such as a log, as long as it was', async () => {
    const project = makeProject({
      'worker.py': queueWorker('one'),
      'run.log': Buffer.alloc(3_000_000, 'line'),
    });
    const log = path.join(project.root, 'run.log');
    const command = `while :; do echo line >> ${log}; done`;
    const writer = spawn('sh', ['-c', command], { stdio: 'ignore' });
    try {
      const { artifact } = await project.build();
      assert.ok(listArchive(artifact).includes('run.log'));
    } finally {
      writer.kill();
    }
  });
});

describe('a build that fails', () => {
  const FAILURES: { title: string; change: Record<string, string>; code: string; message: RegExp }[] = [
    {
      title: 'on a file that does not parse',
      change: { 'other.py': 'from toolkit_sdk import Endpoint\ndef (:\n' },
      code: 'PROJECT_HAS_ERRORS',
      message: /^other\.py:2:/,
    },
    {
      title: 'on a value known only at run time',
      change: { 'other.py': queueWorker('other', 'workers=count()') },
      code: 'PROJECT_HAS_ERRORS',
      message:
        /^other\.py:4:\d+: Cannot determine the value of workers without running the code, so this endpoint cannot be built\.$/,
    },
    {
      title: 'on a package that does not exist',
      change: { 'other.py': queueWorker('other', 'dependencies=["no-such-package"]') },
      code: 'DEPENDENCY_UNRESOLVED',
      message: /no-such-package \(required by the endpoint "other" \(other\.py:4\)\) does not exist/,
    },
    {
      title: 'on no endpoints',
      change: { 'worker.py': 'x = 1\n' },
      code: 'NO_ENDPOINTS',
      message: /^No @Endpoint functions were found/,
    },
  ];
  for (const { title, change, code, message } of FAILURES) {
    test(`${title} leaves the last good artifact and no build folder`, async () => {
      const project = makeProject({ 'worker.py': queueWorker('one') });
      const good = await project.build();
      project.write(change);
      await assert.rejects(project.build(), { name: 'ToolkitError', code, message });
      assert.equal(hash('sha256', readFileSync(good.artifact)), good.sha256);
      assert.ok(!existsSync(path.join(project.root, '.toolkit/.build')));
    });
  }

  test('advises on decorator syntax and ignore files when there are no endpoints', async () => {
    const project = makeProject({ 'worker.py': 'x = 1\n' });
    await assert.rejects(project.build(), {
      hint: /decorator syntax.*not excluded by \.gitignore, \.toolkitignore or the built-in ignore patterns/,
    });
  });

  test('undoes its work when interrupted, at any moment', async () => {
    const project = app();
    const good = await project.build();
    rmSync(path.join(project.home, 'cache/parts'), { recursive: true });
    for (const step of [0, 1, 2]) {
      const controller = new AbortController();
      if (step === 0) controller.abort();
      rmSync(path.join(project.root, 'pylock.toml'), { force: true });
      let seen = 0;
      const report = () => {
        seen += 1;
        if (seen === step) controller.abort();
      };
      await assert.rejects(project.build({ signal: controller.signal, report }), { code: 'INTERRUPTED' });
      assert.equal(hash('sha256', readFileSync(good.artifact)), good.sha256);
      assert.ok(!existsSync(path.join(project.root, '.toolkit/.build')));
    }
    assert.deepEqual(readdirSync(path.join(project.home, 'cache/parts')), []);
  });
});

describe('the cached dependencies part', () => {
  test('lets a build run without wheels, index or interpreter', async () => {
    const project = app();
    const first = await project.build();
    rmSync(project.links, { recursive: true });
    rmSync(path.join(project.home, 'cache/wheels'), { recursive: true });
    project.write({ 'gpu_worker.py': `${GPU}\n# changed\n` });
    const second = await project.build({ env: { PATH: '' } });
    assert.equal(second.parts[0]!.sha256, first.parts[0]!.sha256);
    assert.notEqual(second.sha256, first.sha256);
  });

  test('is made again when its bytes are damaged', async () => {
    const project = app();
    const first = await project.build();
    const folder = path.join(project.home, 'cache/parts');
    const part = path.join(folder, readdirSync(folder).find((name) => name.endsWith('.tar.gz'))!);
    const bytes = readFileSync(part);
    bytes[100]! ^= 1;
    writeFileSync(part, bytes);
    assert.equal((await project.build()).sha256, first.sha256);
  });
});

describe('the lock', () => {
  test('is used while the requirements stay the same, keeps versions when one is added, and is renewed by --upgrade', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one', 'dependencies=["demo"]') }, [DEMO]);
    const locked = async (upgrade = false) =>
      readArchived((await project.build({ upgrade })).artifact, 'requirements.txt');
    assert.equal(await locked(), 'demo==1.0\n');
    writeWheel(project.links, { ...DEMO, version: '2.0' });
    writeWheel(project.links, { name: 'extra', files: { 'extra.py': 'y = 1\n' } });
    assert.equal(await locked(), 'demo==1.0\n');
    project.write({ 'worker.py': queueWorker('one', 'dependencies=["demo", "extra"]') });
    assert.equal(await locked(), 'demo==1.0\nextra==1.0\n');
    assert.equal(await locked(true), 'demo==2.0\nextra==1.0\n');
  });

  for (const [file, before] of [
    ['uv.lock', 'version = 1\nrequires-python = ">=3.10"\n\n'],
    ['poetry.lock', '# This file is automatically @generated by Poetry.\n\n'],
    ['pdm.lock', ''],
  ] as const) {
    test(`keeps the versions of ${file} where they fit, and follows its changes`, async () => {
      const wheels = ['1.0', '2.0', '3.0'].map((version) => ({ ...DEMO, version }));
      const forked = ['1.0', '2.0'].map((version) => ({ name: 'forked', version, files: {} }));
      const project = makeProject({ 'worker.py': queueWorker('one', 'dependencies=["demo", "forked"]') }, [
        ...wheels,
        ...forked,
      ]);
      const lock = (demo: string) => {
        const tables = [
          ['Demo', demo],
          ['demo', demo],
          ['forked', '1.0'],
          ['forked', '2.0'],
          ['unused', '1.0'],
        ].map(
          ([name, version]) =>
            `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = { registry = "x" }\n`,
        );
        project.write({ [file]: before + tables.join('\n') });
      };
      const locked = async (upgrade = false) =>
        readArchived((await project.build({ upgrade })).artifact, 'requirements.txt');
      lock('1.0');
      assert.equal(await locked(), 'demo==1.0\nforked==2.0\n');
      lock('2.0');
      assert.equal(await locked(), 'demo==2.0\nforked==2.0\n');
      project.write({ 'requirements.txt': 'demo!=2.0' });
      assert.equal(await locked(), 'demo==3.0\nforked==2.0\n');
      project.write({ 'requirements.txt': '' });
      assert.equal(await locked(true), 'demo==3.0\nforked==2.0\n');
    });
  }

  test("keeps the versions of the lock of uv's workspace in its members", async () => {
    const wheels = ['1.0', '2.0'].map((version) => ({ ...DEMO, version }));
    const project = makeProject({ 'worker.py': queueWorker('one', 'dependencies=["demo"]') }, wheels);
    const member = path.join(project.root, 'packages/member');
    project.write({
      'pyproject.toml': '[tool.uv.workspace]\nmembers = ["packages/*"]\n',
      'uv.lock': 'version = 1\n\n[[package]]\nname = "demo"\nversion = "1.0"\n',
      'packages/member/worker.py': queueWorker('one', 'dependencies=["demo"]'),
      'packages/member/pyproject.toml': '[tool.toolkit]\npython = "3.11"\n',
    });
    const { artifact } = await project.build({ reading: await readProject({ root: member }) });
    assert.equal(readArchived(artifact, 'requirements.txt'), 'demo==1.0\n');
  });

  test('never ships', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one', 'dependencies=["demo"]') }, [DEMO]);
    await project.build();
    assert.ok(existsSync(path.join(project.root, 'pylock.toml')));
    assert.ok(!listArchive((await project.build()).artifact).includes('pylock.toml'));
  });

  test('is replaced with a warning when another tool made it', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one', 'dependencies=["demo"]') }, [DEMO]);
    project.write({ 'pylock.toml': 'lock-version = "1.0"\ncreated-by = "somebody"\npackages = []\n' });
    const { events } = await project.build();
    assert.ok(
      events.some(
        (event) => event.type === 'warning' && /was not created by the toolkit/.test(event.message),
      ),
    );
  });

  test('is named in the error when it is damaged', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one', 'dependencies=["demo"]') }, [DEMO]);
    for (const [text, message] of [
      ['lock-version = [\n', /pylock\.toml .*not valid TOML/],
      ['packages = 3\n', /pylock\.toml .*its packages are not tables/],
      ['[packages]\nname = "demo"\n', /pylock\.toml .*its packages are not tables/],
    ] as const) {
      project.write({ 'pylock.toml': text });
      await assert.rejects(project.build(), { code: 'PROJECT_CONFIG', message });
    }
  });
});

describe('packages of the base image', () => {
  const wheels = [
    { name: 'torch', version: '2.1', files: { 'torch.py': '' }, requires: ['numpy', 'sympy'] },
    { name: 'numpy', version: '1.26', files: { 'numpy.py': '' } },
    { name: 'sympy', files: { 'sympy.py': '' }, requires: ['mpmath'] },
    { name: 'mpmath', files: { 'mpmath.py': '' } },
    { name: 'transformers', files: { 'transformers.py': '' }, requires: ['torch', 'tokenizers', 'numpy'] },
    { name: 'tokenizers', files: { 'tokenizers.py': '' } },
  ];
  const shippedModules = (artifact: string) =>
    listArchive(artifact)
      .flatMap((name) => /^_toolkit\/dependencies\/all\/(\w+)\.py$/.exec(name)?.[1] ?? [])
      .sort();

  test('are left out together with what only they require, and are recorded', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one', 'dependencies=["transformers"]') }, wheels);
    const built = await project.build();
    assert.deepEqual(shippedModules(built.artifact), ['tokenizers', 'transformers']);
    assert.deepEqual(built.excluded, ['mpmath', 'numpy', 'sympy', 'torch']);
    assert.deepEqual(project.manifest().one!.baseLayer, [
      'mpmath==1.0',
      'numpy==1.26',
      'sympy==1.0',
      'torch==2.1',
    ]);
  });

  test('do not remove a dependency that is also declared', async () => {
    const project = makeProject(
      { 'worker.py': queueWorker('one', 'dependencies=["torch", "mpmath"]') },
      wheels,
    );
    const built = await project.build();
    assert.deepEqual(shippedModules(built.artifact), ['mpmath']);
    assert.deepEqual(project.manifest().one!.baseLayer, ['numpy==1.26', 'sympy==1.0', 'torch==2.1']);
  });

  test('are excluded in addition to what --exclude names, which the image does not have', async () => {
    const project = makeProject({ 'worker.py': queueWorker('one', 'dependencies=["transformers"]') }, wheels);
    const { artifact, excluded, events } = await project.build({ exclude: ['Tokenizers', 'unheard-of'] });
    assert.deepEqual(shippedModules(artifact), ['transformers']);
    assert.deepEqual(excluded, ['mpmath', 'numpy', 'sympy', 'tokenizers', 'torch']);
    assert.ok(!project.manifest().one!.baseLayer.includes('tokenizers==1.0'));
    const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    assert.deepEqual(warnings, ['--exclude unheard-of: no dependency has this name.']);
  });
});
