/**
 * The artifact's size limit and folders that cannot be written are reported before any work, with nothing
 * changed.
 */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { closeSync, ftruncateSync, openSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ArtifactLimit } from '../../runtime/build/artifactLimit.ts';
import { fetchWheels } from '../../runtime/build/dependencies/wheelCache.ts';
import { makeProject, queueWorker } from './projects.ts';
import { scratch } from './scratch.ts';

const MB = 1_000_000;

test('reports the size limit with the largest packages as soon as it is exceeded', () => {
  const limit = new ArtifactLimit();
  limit.note({ name: 'small', version: '1.0', bytes: MB });
  limit.note({ name: 'large', version: '2.0', bytes: 900 * MB });
  assert.throws(() => limit.note({ name: 'larger', version: '3.0', bytes: 950 * MB }), {
    code: 'ARTIFACT_TOO_LARGE',
    message:
      'The artifact is at least 1851 MB, over the limit of 1.5 GB. The largest packages are larger 3.0 (950 MB), large 2.0 (900 MB), small 1.0 (1 MB).',
    hint: 'Exclude packages that the workers do not need, for example with --exclude larger.',
  });
});

test('a package over the limit is refused before its bytes are fetched', async () => {
  const folder = scratch();
  const file = path.join(folder, 'huge-1.0-py3-none-any.whl');
  const handle = openSync(file, 'w');
  ftruncateSync(handle, 1_600 * MB);
  closeSync(handle);
  const limit = new ArtifactLimit();
  const locked = {
    name: 'huge',
    version: '1.0',
    url: `file://${file}`,
    sha256: hash('sha256', ''),
    size: null,
    isSource: false,
    dependencies: [],
  };
  const fetching = fetchWheels([locked], {
    toolkitHome: path.join(folder, 'home'),
    network: () => Promise.resolve({ authorize: () => Promise.resolve(undefined), close: () => {} }),
    build: () => Promise.reject(new Error('nothing is built here')),
    onSize: (wheel) => limit.note(wheel),
    signal: new AbortController().signal,
    report: () => {},
  });
  await assert.rejects(fetching, { code: 'ARTIFACT_TOO_LARGE', message: /huge 1\.0 \(1600 MB\)/ });
});

test('names an output folder that cannot be created', async () => {
  const project = makeProject({ 'worker.py': queueWorker('one'), '.toolkit': 'a file' });
  await assert.rejects(project.build(), {
    code: 'NOT_WRITABLE',
    message: /\.toolkit is a file, not a folder\.$/,
  });
});
