/** Ten of the artifacts of test/long/installs.txt. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareInstall } from './compareInstall.ts';

const TEN = [
  'six',
  'jinja2',
  'pyyaml',
  'psutil',
  'cryptography',
  'protobuf',
  'docopt',
  'aiohttp',
  'boto3',
  'fastapi uvicorn[standard]',
];

for (const line of TEN) {
  test(`the artifact with ${line} has the files that uv installs`, async () => {
    const { differences, files } = await compareInstall(line.split(' '));
    assert.deepEqual(differences, []);
    assert.ok(files > 0);
  });
}
