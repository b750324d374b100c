/** Classes and commands as endpoints: what the build makes of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderHandler } from '../../runtime/build/code/handlers.ts';
import { renderStub } from '../../runtime/build/code/stubs.ts';
import type { Endpoint, EndpointFunction } from '../../runtime/contract/endpoint.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { listArchive, makeProject, queueWorker } from './projects.ts';

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

function command(name: string, argv: string[], dependencies: string[] | null = null): Endpoint {
  return { ...ENDPOINT, name, file: 'pyproject.toml', line: 1, command: argv, dependencies };
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
    title: 'classes inside one class',
    served: [method('Outer.A', 'go'), method('Outer.B', 'go')],
    lines: [
      /^from types import SimpleNamespace$/m,
      /^Outer = SimpleNamespace\(A=remote_class\("Outer\.A", .*\), B=remote_class\("Outer\.B", .*\)\)$/m,
    ],
  },
];
for (const { title, served, lines } of STUBS) {
  test(`the stub of ${title} stands under the name that is imported`, () => {
    const stub = renderStub(
      'models',
      'models.py',
      served.map((one) => ({ endpoint: ENDPOINT, served: one })),
    );
    for (const line of lines) assert.match(stub, line);
  });
}

test('a command has no handler, takes the dependencies, and rolls when any file that ships changes', async () => {
  const project = makeProject(
    {
      'worker.py': queueWorker('one'),
      'script.py': 'print(1)\n',
      'pyproject.toml': '[tool.toolkit]\npython = "3.11"\n',
    },
    [{ name: 'demo', files: { 'demo.py': 'x = 1\n' } }],
  );
  const build = async (argv: string[]) => {
    const reading = await readProject({ root: project.root });
    const endpoints = [...reading.endpoints, command('raw', argv, ['demo'])];
    const { artifact } = await project.build({ reading: { ...reading, endpoints } });
    const { raw, one } = project.manifest();
    return { raw: raw!, one: one!, names: listArchive(artifact) };
  };
  const first = await build(['python', 'script.py']);
  assert.deepEqual(first.raw.command, ['python', 'script.py']);
  assert.deepEqual([first.raw.functions, first.raw.handler], [[], null]);
  assert.deepEqual(first.raw.dependencies, ['demo']);
  assert.ok(!first.names.some((name) => name.startsWith('_toolkit/handlers/raw')));
  assert.ok(first.names.includes('_toolkit/dependencies/all/demo.py'));

  project.write({ 'script.py': 'print(2)\n' });
  const second = await build(['python', 'script.py']);
  assert.notEqual(second.raw.fingerprint.code, first.raw.fingerprint.code);
  assert.equal(second.one.fingerprint.code, first.one.fingerprint.code, 'nobody else imports it');
});

test('settings in pyproject.toml are no code, the rest of it is data of every endpoint', async () => {
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
