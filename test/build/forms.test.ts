/** Classes and commands as endpoints, and what the build makes of them. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { renderHandler } from '../../runtime/build/code/handlers.ts';
import { renderStub } from '../../runtime/build/code/stubs.ts';
import type { Endpoint, EndpointFunction } from '../../runtime/contract/endpoint.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { listArchive, makeProject, queueWorker, readArchived } from './projects.ts';

const ENDPOINT = {
  name: 'model',
  kind: 'queue',
  file: 'models.py',
  line: 3,
  hardware: { cpu: 'cpu3c-1-2' },
  workers: null,
  idleTimeout: null,
  dependencies: null,
  env: null,
  envFrom: {},
  image: null,
  gpuCount: null,
  executionTimeout: null,
  maxConcurrency: null,
  command: null,
  functions: [],
  routes: [],
  dynamic: [],
  deployed: null,
} satisfies Endpoint;

function method(of: string | null, name: string): EndpointFunction {
  return {
    name,
    class: of,
    module: 'models',
    file: 'models.py',
    line: 4,
    async: false,
    description: null,
    parameters: [],
  };
}

test('a class is served by its method, under a dotted name', () => {
  const endpoint = { ...ENDPOINT, functions: [method('Model', 'predict')] };
  const text = renderHandler(endpoint, new Map(), []);
  assert.match(text, /^FUNCTION = \("models", "models\.py", "Model\.predict"\)$/m);
});

const STUBS: { title: string; served: EndpointFunction[]; lines: RegExp[] }[] = [
  {
    title: 'a function',
    served: [method(null, 'score')],
    lines: [
      /^from toolkit_sdk\._dispatch import real_attribute, remote_function$/m,
      /^score = remote_function\(/m,
    ],
  },
  {
    title: 'a class',
    served: [method('Model', 'predict')],
    lines: [
      /^from toolkit_sdk\._dispatch import real_attribute, remote_class, remote_function$/m,
      /^Model = remote_class\("Model", remote_function\(endpoint="model", module="models", name="Model\.predict", .*\)\)$/m,
    ],
  },
  {
    title: 'nested classes',
    served: [method('Outer.A', 'go'), method('Outer.B', 'go')],
    lines: [
      /^from types import SimpleNamespace$/m,
      /^Outer = SimpleNamespace\(A=remote_class\("Outer\.A", .*\), B=remote_class\("Outer\.B", .*\)\)$/m,
    ],
  },
];
for (const { title, served, lines } of STUBS) {
  test(`the stub of ${title} has the name that is imported`, () => {
    const stub = renderStub(
      'models',
      'models.py',
      served.map((one) => ({ endpoint: ENDPOINT, served: one })),
    );
    for (const line of lines) assert.match(stub, line);
  });
}

test('a class is built from its declaration, and its callers get a stub', async () => {
  const model =
    'from toolkit_sdk import Endpoint\n\n\n@Endpoint(cpu="cpu3c-1-2")\nclass Model:\n    def predict(self, text: str) -> str:\n        """Predicts."""\n        return text\n';
  const body = 'from models import Model\n    return Model().predict(text)';
  const project = makeProject({ 'models.py': model, 'caller.py': queueWorker('caller', '', body) });
  const { artifact } = await project.build();
  const { Model } = project.manifest();
  assert.deepEqual(Model!.functions, [
    { name: 'predict', class: 'Model', module: 'models', file: 'models.py', async: false },
  ]);
  assert.match(readArchived(artifact, Model!.handler!), /"Model\.predict"/);
  assert.match(readArchived(artifact, '_toolkit/stubs/models.py'), /^Model = remote_class\("Model", /m);
  assert.match(readArchived(artifact, '_toolkit/handlers/caller.py'), /STUBS = \{"models": /);
});

test('the stub of a function says whether it returns bytes', async () => {
  const functions = ['bytes', 'bytes | None', '"Optional[bytes]"', 'str', 'list[bytes]'].map(
    (annotation, at) =>
      `@Endpoint(name="f${at}", cpu="cpu3c-1-2")\ndef f${at}() -> ${annotation}:\n    pass\n`,
  );
  const header = 'from typing import Optional\nfrom toolkit_sdk import Endpoint\n';
  const body = 'from models import f0, f1, f2, f3, f4\n    return text';
  const project = makeProject({
    'models.py': [header, ...functions].join('\n\n'),
    'caller.py': queueWorker('caller', '', body),
  });
  const { artifact } = await project.build();
  const stub = readArchived(artifact, '_toolkit/stubs/models.py');
  const found = stub.split('\n').filter((line) => line.endsWith('returns_bytes=True)'));
  assert.deepEqual(
    found.map((line) => line.split(' ')[0]),
    ['f0', 'f1', 'f2'],
  );
});

test('a command has no handler, gets the dependencies, and is redeployed when any file of the artifact changes', async () => {
  const endpoint =
    '[[tool.toolkit.endpoints]]\nname = "raw"\ncommand = ["python", "script.py"]\ncpu = "cpu3c-1-2"\ndependencies = ["demo"]\n';
  const project = makeProject(
    {
      'worker.py': queueWorker('one'),
      'script.py': 'print(1)\n',
      'pyproject.toml': `[tool.toolkit]\npython = "3.11"\n${endpoint}`,
    },
    [{ name: 'demo', files: { 'demo.py': 'x = 1\n' } }],
  );
  const build = async () => {
    const { artifact } = await project.build();
    const { raw, one } = project.manifest();
    return { raw: raw!, one: one!, names: listArchive(artifact) };
  };
  const first = await build();
  assert.deepEqual(first.raw.command, ['python', 'script.py']);
  assert.deepEqual([first.raw.functions, first.raw.handler], [[], null]);
  assert.deepEqual(first.raw.dependencies, ['demo']);
  assert.ok(!first.names.some((name) => name.startsWith('_toolkit/handlers/raw')));
  assert.ok(first.names.includes('_toolkit/dependencies/all/demo.py'));

  project.write({ 'script.py': 'print(2)\n' });
  const second = await build();
  assert.notEqual(second.raw.fingerprint.code, first.raw.fingerprint.code);
  assert.equal(second.one.fingerprint.code, first.one.fingerprint.code, 'nobody else imports it');
});

const DYNAMIC = [
  { title: 'its value', comment: '', says: /^worker\.py:6:19: .*workers/ },
  {
    title: 'its own declaration, also where the hint is silenced',
    comment: '  # toolkit: ignore[dynamic-value]',
    says: /^worker\.py:5: Cannot determine the value of workers of the endpoint "one"/,
  },
];
for (const { title, comment, says } of DYNAMIC) {
  test(`a value known only at run time is refused at ${title}`, async () => {
    const project = makeProject({
      'worker.py': `import random\nfrom toolkit_sdk import Endpoint\n\n\n@Endpoint(name="one", cpu="cpu3c-1-2",\n          workers=(0, random.randint(1, 3)))${comment}\ndef one(text: str) -> str:\n    """One."""\n    return text\n`,
    });
    await assert.rejects(project.build(), { code: 'PROJECT_HAS_ERRORS', message: says, hint: /literal/ });
    assert.ok(!existsSync(path.join(project.root, '.toolkit')), 'before any work');
  });
}

test('the packages that the hint calls provided by the image are those that the artifact leaves out', async () => {
  const wheels = ['torch', 'numpy', 'demo'].map((name) => ({ name, files: { [`${name}.py`]: '' } }));
  const project = makeProject(
    { 'worker.py': queueWorker('one', 'dependencies=["torch", "numpy", "demo"]') },
    wheels,
  );
  const { diagnostics } = await readProject({ root: project.root });
  const hints = diagnostics.filter(({ code }) => code === 'provided-by-image');
  const { excluded } = await project.build();
  assert.deepEqual(excluded, ['numpy', 'torch']);
  assert.equal(hints.length, excluded.length);
  for (const name of excluded)
    assert.ok(
      hints.some(({ message }) => message.includes(name)),
      name,
    );
});

test('settings in pyproject.toml are not code, and the rest of the file is data of every endpoint', async () => {
  const project = makeProject({ 'worker.py': queueWorker('one') });
  const code = async (pyproject: string) => {
    project.write({ 'pyproject.toml': pyproject });
    await project.build();
    return project.manifest().one!.fingerprint.code;
  };
  const before = await code('[tool.toolkit]\npython = "3.11"\n');
  assert.equal(await code('[tool.toolkit]\npython = "3.11"\nquota = 12\n'), before);
  assert.notEqual(await code('[tool.toolkit]\npython = "3.11"\n[tool.mine]\nmode = "fast"\n'), before);
});
