/** The output of `--json` matches the schemas in contract. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as documents from '../../runtime/contract/cliDocuments.ts';
import { type Ran, workbench } from '../setup/toolkit.ts';

describe('--json', () => {
  const bench = workbench({ after });
  let project: string;

  before(async () => {
    await bench.toolkit(bench.folder, ['init', 'demo']);
    project = path.join(bench.folder, 'demo');
  });

  /** Exactly one document on stdout. */
  const only = (ran: Ran): unknown => {
    assert.equal(ran.stdout.trim().split('\n').length, 1, ran.stdout);
    return ran.json<unknown>();
  };

  it('init', async () => {
    documents.initDocument.parse(
      only(await bench.toolkit(bench.folder, ['init', 'other', '--template', 'tutorial', '--json'])),
    );
  });

  it('list', async () => {
    const list = documents.listDocument.parse(only(await bench.toolkit(project, ['list', '--json'])));
    assert.equal(list.root, project);
    assert.equal(list.app, 'demo');
    assert.equal(list.environment, 'production');
    assert.deepEqual(
      list.endpoints.map(({ name }) => name),
      ['cpu_worker', 'gpu_worker', 'lb_worker'],
    );
    const [cpu, gpu, lb] = list.endpoints;
    assert.deepEqual(cpu!.hardware, { cpu: 'cpu3c-1-2' });
    assert.deepEqual(gpu!.hardware, { gpu: 'ANY' });
    assert.deepEqual(gpu!.workers, { min: 0, max: 1 });
    assert.equal(cpu!.functions[0]!.async, true);
    assert.deepEqual(cpu!.functions[0]!.parameters, [
      {
        name: 'numbers',
        annotation: 'list[float]',
        default: null,
        required: true,
        kind: 'positional-or-keyword',
      },
    ]);
    assert.deepEqual(
      lb!.routes.map(({ method, path }) => `${method} ${path}`),
      ['GET /health', 'POST /process'],
    );
  });

  it('list marks the other declarations of one endpoint', async () => {
    const text = `import sys
from toolkit_sdk import Endpoint
if sys.platform == "win32":
    @Endpoint(name="one", cpu="cpu3c-1-2")
    def one(): ...
else:
    @Endpoint(name="one", cpu="cpu3c-1-2")
    def one(): ...
`;
    const folder = bench.project('alternatives', { 'pyproject.toml': '', 'worker.py': text });
    const list = documents.listDocument.parse(only(await bench.toolkit(folder, ['list', '--json'])));
    assert.deepEqual(
      list.endpoints.map(({ line, alternative }) => [line, alternative]),
      [
        [4, true],
        [7, undefined],
      ],
    );
  });

  it('list tells which functions return bytes', async () => {
    const bytes = bench.project('bytes', {
      'pyproject.toml': '',
      'w.py':
        'from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="w", cpu="cpu3c-1-2")\ndef w() -> bytes:\n    return b""\n',
    });
    const list = documents.listDocument.parse(only(await bench.toolkit(bytes, ['list', '--json'])));
    assert.equal(list.endpoints[0]!.functions[0]!.returnsBytes, true);
  });

  it('list with an error in one file still lists the others', async () => {
    const broken = bench.project('broken', {
      'pyproject.toml': '',
      'bad.py': 'from toolkit_sdk import Endpoint\n@Endpoint(\n',
      'good.py': readFileSync(path.join(project, 'cpu_worker.py'), 'utf8'),
    });
    const ran = await bench.toolkit(broken, ['list', '--json']);
    const list = documents.listDocument.parse(only(ran));
    assert.deepEqual(
      list.endpoints.map(({ name }) => name),
      ['cpu_worker'],
    );
    assert.deepEqual(
      list.diagnostics.map(({ code, file }) => [code, file]),
      [['syntax-error', 'bad.py']],
    );
  });

  it('check', async () => {
    const ran = await bench.toolkit(project, ['check', '--json']);
    const { summary } = documents.checkDocument.parse(only(ran));
    assert.deepEqual(summary, { files: 3, endpoints: 3, errors: 0, warnings: 0, hints: 0 });
    assert.equal(ran.code, 0);
  });

  it('check with an error exits with 1 and reports the exact range', async () => {
    const bad = bench.project('bad', {
      'pyproject.toml': '',
      'w.py':
        'from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="w", cpu="cpu5-4")\ndef w():\n    """W."""\n',
    });
    const ran = await bench.toolkit(bad, ['check', '--json']);
    assert.equal(ran.code, 1);
    const { diagnostics } = documents.checkDocument.parse(only(ran));
    assert.deepEqual(
      diagnostics.map(({ code, file, range }) => ({ code, file, range })),
      [
        {
          code: 'invalid-cpu',
          file: 'w.py',
          range: { start: { line: 3, character: 24 }, end: { line: 3, character: 32 } },
        },
      ],
    );
  });

  it('build reports paths, size and hash of the artifact', async () => {
    const built = documents.buildDocument.parse(only(await bench.toolkit(project, ['build', '--json'])));
    assert.equal(built.artifact, path.join(project, '.toolkit/artifact.tar.gz'));
    assert.equal(built.manifest, path.join(project, '.toolkit/toolkit_manifest.json'));
    assert.equal(built.bytes, statSync(built.artifact).size);
    assert.equal(built.sha256, createHash('sha256').update(readFileSync(built.artifact)).digest('hex'));
    assert.deepEqual(built.endpoints, ['cpu_worker', 'gpu_worker', 'lb_worker']);
  });

  it('deploy, status, logs and platform', async () => {
    documents.platformDocument.parse(only(await bench.toolkit(project, ['platform', 'status', '--json'])));
    const deployed = documents.deployDocument.parse(only(await bench.toolkit(project, ['deploy', '--json'])));
    assert.deepEqual(deployed.loadBalanced[0]!.routes, ['GET /health', 'POST /process']);
    const status = documents.statusDocument.parse(only(await bench.toolkit(project, ['status', '--json'])));
    assert.equal(status.workersMax, 7);
    assert.equal(status.quota, 30);
    documents.platformDocument.parse(only(await bench.toolkit(project, ['platform', 'status', '--json'])));
    const logs = await bench.toolkit(project, ['logs', 'cpu_worker', '--json']);
    assert.equal(logs.code, 0);
    for (const line of logs.stdout.trim().split('\n').filter(Boolean))
      documents.logLineDocument.parse(JSON.parse(line));
    const stopped = documents.platformDocument.parse(
      only(await bench.toolkit(project, ['platform', 'stop', '--json'])),
    );
    assert.equal(stopped.running, false);
  });

  it('an error is also one document', async () => {
    writeFileSync(path.join(bench.folder, 'x.py'), '');
    const ran = await bench.toolkit(project, [
      'build',
      '--json',
      '--project',
      path.join(bench.folder, 'x.py'),
    ]);
    assert.equal(ran.code, 1);
    assert.equal(documents.errorDocument.parse(only(ran)).error.code, 'PROJECT_NOT_FOUND');
  });
});
