/** What an artifact contains, and when it is identical. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { unzipSync } from 'fflate';
import { sdkWheel } from '../../runtime/build/code/sdkCopy.ts';
import { groupOfGpuType } from '../../runtime/contract/hardware.ts';
import { app } from './exampleApp.ts';
import { listArchive, makeProject, queueWorker, readArchived, WORKER_WHEELS } from './projects.ts';
import { scratch } from './scratch.ts';

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
      "worker.py:5:12: absent_0 is not a module of the project, an installed package or a known package, so a worker could not import it. Correct the module's name, or add its package to dependencies.",
    );
    assert.equal(warnings[10], 'The project has 3 more warnings. Run "toolkit check" to list them.');
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
});
