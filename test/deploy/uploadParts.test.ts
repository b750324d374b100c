import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlatformClient } from '../../runtime/deploy/platformClient.ts';
import { uploadParts } from '../../runtime/deploy/uploadParts.ts';

test('sends no request when there is no part to upload', async () => {
  // Nothing listens on port 1: any request fails.
  const client = new PlatformClient('http://127.0.0.1:1', { value: 'key', source: 'your input' }, false);
  const { signal } = new AbortController();
  assert.equal(await uploadParts(client, [], () => undefined, signal), 0);
});
