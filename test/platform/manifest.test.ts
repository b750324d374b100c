/** The manifest of a build: what is encoded is decoded, and a malformed one is refused. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { EndpointSpec } from '../../runtime/contract/appSpec.ts';
import { encodeManifest } from '../../runtime/contract/manifest.ts';
import { decodeManifest } from '../../runtime/contract/manifestSchema.ts';
import { endpointSpec } from './harness.ts';

const API: EndpointSpec = {
  ...endpointSpec('api'),
  kind: 'load-balanced',
  functions: [],
  routes: [
    { method: 'GET', path: '/items', module: 'app.web', function: 'items' },
    { method: 'POST', path: '/items', module: 'app.web', function: 'add' },
  ],
};

it('decodes what is encoded, with routes only for load-balanced endpoints', () => {
  const manifest = encodeManifest([endpointSpec('queue'), API]);
  assert.deepEqual(manifest.routes, { api: { 'GET /items': 'items', 'POST /items': 'add' } });
  assert.deepEqual(manifest.handlers, {
    api: { 'GET /items': 'app.web:items', 'POST /items': 'app.web:add' },
  });
  assert.deepEqual(decodeManifest(JSON.parse(JSON.stringify(manifest))), [API, endpointSpec('queue')]);
});

it('names what is malformed', () => {
  assert.throws(() => decodeManifest({ routes: {}, handlers: {} }), {
    code: 'MANIFEST_INVALID',
    message: /^The manifest's resources is invalid: /,
  });
  const { resources, ...rest } = encodeManifest([endpointSpec('one')]);
  const without = { ...resources.one, gpuIds: undefined, cpu: undefined };
  assert.throws(() => decodeManifest({ ...rest, resources: { one: without } }), {
    code: 'MANIFEST_INVALID',
    message: `The manifest's resource "one" has neither gpuIds nor cpu.`,
  });
});

for (const [key, target] of [
  ['GET/items', 'app.web:items'],
  ['GET /items', 'app.web.items'],
  [' /items', 'app.web:items'],
  ['GET /items', ':items'],
] as const) {
  it(`refuses the route ${key} of ${target}`, () => {
    const manifest = encodeManifest([API]);
    const changed = { ...manifest, handlers: { api: { [key]: target } } };
    assert.throws(() => decodeManifest(changed), {
      code: 'MANIFEST_INVALID',
      message: `The manifest's route "${key}" of "api" is invalid: "${target}".`,
    });
  });
}
