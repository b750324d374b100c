/** What a lock was resolved for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashInputs } from '../../runtime/build/dependencies/lockInputs.ts';
import { NO_REQUIREMENTS } from './projects.ts';

const target = { root: '/project', python: '3.11', env: {} };
const set = { ...NO_REQUIREMENTS, requirements: [{ text: 'demo>=1', name: 'demo', origins: [] }] };

test('the hash of ordinary requirements stays the same, so that a newer toolkit uses the locks of users', () => {
  assert.equal(hashInputs(set, target), '8089f072d5ebfc2d862c42b16e7ee0c25c4ddc1a71db2619618e5d50f24bf475');
});

test('the hash depends on all that is resolved for, and not on credentials or the place of the project', () => {
  const others = [
    { ...set, constraints: ['demo<2'] },
    { ...set, options: ['--pre'] },
    { ...set, options: ['--find-links /project/wheels'] },
    { ...set, onlyBinary: [{ names: [':all:'], place: 'requirements.txt:1' }] },
    { ...set, projectLock: { file: 'uv.lock', versions: { demo: '1' } } },
    { ...set, uvSettings: { prerelease: 'allow' } },
    { ...set, requirements: [{ text: 'demo @ file://${WHEELS}/demo.whl', name: 'demo', origins: [] }] },
  ];
  const hashes = [set, ...others].map((one) => hashInputs(one, target));
  hashes.push(hashInputs(set, { ...target, python: '3.12' }));
  hashes.push(hashInputs(others[6]!, { ...target, env: { WHEELS: '/w' } }));
  assert.equal(new Set(hashes).size, hashes.length);
  const elsewhere = { ...set, options: ['--find-links /copy/wheels'] };
  assert.equal(hashInputs(elsewhere, { ...target, root: '/copy' }), hashes[3]);
  const [mine, yours] = ['me:a', 'you:b'].map((user) =>
    hashInputs({ ...set, options: [`--index-url https://${user}@example.org/simple`] }, target),
  );
  assert.equal(mine, yours);
});
