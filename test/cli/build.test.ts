/** `toolkit build` as users run it: the same bytes everywhere, and no secrets in them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BuildDocument } from '../../runtime/contract/cliDocuments.ts';
import { workbench, writeProject } from '../setup/toolkit.ts';

describe('toolkit build', () => {
  const bench = workbench({ after });
  const project = path.join(bench.folder, 'tutorial');
  const build = async (folder: string): Promise<BuildDocument> => {
    const ran = await bench.toolkit(folder, ['build', '--json']);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    return ran.json();
  };

  before(async () => {
    await bench.toolkit(bench.folder, ['init', 'tutorial', '--template', 'tutorial']);
    writeProject(project, {
      '.env': 'PLATFORM_API_KEY=canary-in-dotenv\n',
      'prod.env': 'canary-prod\n',
      'server.pem': 'canary-pem\n',
      id_rsa: 'canary-rsa\n',
      'credentials.json': '{"canary": 1}\n',
      '.venv/pyvenv.cfg': 'home = /usr\n',
      '.venv/lib/canary.py': '',
      'env38/pyvenv.cfg': 'home = /usr\n',
      'env38/lib/canary.py': '',
      'prompts/question.txt': 'shipped\n',
    });
  });

  it('gives the same bytes when run twice, and in two folders', async () => {
    const first = await build(project);
    const again = await build(project);
    const copy = path.join(bench.folder, 'elsewhere', 'with another project name');
    cpSync(project, copy, { recursive: true, filter: (source) => !source.includes('.toolkit') });
    const other = await build(copy);
    assert.equal(again.sha256, first.sha256);
    assert.equal(other.sha256, first.sha256);
    assert.deepEqual(readFileSync(other.artifact), readFileSync(first.artifact));
  });

  it('packs handlers, manifest, requirements and dependencies, and no secret, key or virtualenv', async () => {
    const { artifact } = await build(project);
    const names = execFileSync('tar', ['tzf', artifact], { encoding: 'utf8' }).trim().split('\n');
    for (const wanted of [
      '_toolkit/handlers/text-api.py',
      '_toolkit/handlers/sentiment-api.py',
      '_toolkit/stubs/sentiment_api.py',
      'toolkit_manifest.json',
      'requirements.txt',
      'text_api.py',
      'prompts/question.txt',
      'toolkit_sdk/__init__.py',
    ]) {
      assert.ok(names.includes(wanted), wanted);
    }
    assert.ok(names.some((name) => name.startsWith('_toolkit/dependencies/all/vaderSentiment/')));
    const unwanted =
      /(^|\/)(\.env|prod\.env|server\.pem|id_rsa|credentials\.json|\.venv|env38|pylock\.toml)(\/|$)/;
    assert.deepEqual(
      names.filter((name) => unwanted.test(name)),
      [],
    );
    const contents = execFileSync('tar', ['xzOf', artifact], { maxBuffer: 1 << 28 });
    assert.ok(!contents.includes('canary-'));
    const locked = execFileSync('tar', ['xzOf', artifact, 'requirements.txt'], { encoding: 'utf8' })
      .trim()
      .split('\n');
    assert.deepEqual(locked, locked.toSorted());
    assert.ok(locked.includes('vadersentiment==3.3.2'), locked.join(' '));
    for (const line of locked) assert.match(line, /^[a-z0-9-]+==\S+$/);
  });

  it('leaves the artifact and the manifest, and no temporary folder', async () => {
    await build(project);
    assert.deepEqual(readdirSync(path.join(project, '.toolkit')).toSorted(), [
      'artifact.tar.gz',
      'toolkit_manifest.json',
    ]);
  });

  it('keeps the last good artifact when interrupted or failed', async () => {
    const good = await build(project);
    const before = readFileSync(good.artifact);
    writeFileSync(path.join(project, 'requirements.txt'), 'no-such-package-for-toolkit-tests==9\n');
    const failed = await bench.toolkit(project, ['build', '--json']);
    assert.equal(failed.code, 1);
    assert.deepEqual(readFileSync(good.artifact), before);

    writeFileSync(path.join(project, 'requirements.txt'), 'idna\n');
    const controller = new AbortController();
    const work = path.join(project, '.toolkit/.build');
    const running = bench.toolkit(project, ['build', '--json'], { signal: controller.signal });
    while (!existsSync(work)) await sleep(1);
    controller.abort();
    const interrupted = await running;
    assert.equal(interrupted.code, 130, interrupted.stdout + interrupted.stderr);
    assert.deepEqual(readFileSync(good.artifact), before);
    assert.ok(!existsSync(work));
  });

  it('reports before any work that --output names a folder', async () => {
    const ran = await bench.toolkit(project, ['build', '--output', bench.folder]);
    assert.equal(ran.code, 2);
    assert.match(ran.stderr, /--output .* is a folder\.\n.*artifact\.tar\.gz/);
  });

  it('warns of an artifact that other builds would ship', async () => {
    const warned = await bench.toolkit(project, ['build', '--output', 'app.tar.gz']);
    assert.match(warned.stderr, /app\.tar\.gz is in the project, .*list it in \.toolkitignore\./);
    writeFileSync(path.join(project, '.toolkitignore'), '*.tar.gz\n');
    for (const output of ['app.tar.gz', '../app.tar.gz']) {
      const ran = await bench.toolkit(project, ['build', '--output', output]);
      assert.equal(ran.code, 0, ran.stderr);
      assert.doesNotMatch(ran.stderr, /toolkitignore/);
    }
    for (const file of ['app.tar.gz', '.toolkitignore']) rmSync(path.join(project, file));
  });

  it('does not overwrite what is not an artifact', async () => {
    execFileSync('mkfifo', [path.join(project, 'pipe')]);
    const source = readFileSync(path.join(project, 'text_api.py'), 'utf8');
    for (const output of ['text_api.py', 'pipe']) {
      const ran = await bench.toolkit(project, ['build', '--output', output]);
      assert.equal(ran.code, 2, ran.stdout);
      assert.match(ran.stderr, /--output \S+ exists and is not an artifact\./);
    }
    assert.equal(readFileSync(path.join(project, 'text_api.py'), 'utf8'), source);
    assert.ok(statSync(path.join(project, 'pipe')).isFIFO());
    rmSync(path.join(project, 'pipe'));
  });
});
