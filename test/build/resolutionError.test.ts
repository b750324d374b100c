/** The sentences for a failed resolution. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConflict } from '../../runtime/build/dependencies/requirementConflict.ts';
import { resolutionError, wheelsElsewhere } from '../../runtime/build/dependencies/resolutionError.ts';
import { NO_REQUIREMENTS } from './projects.ts';

test('of many wheels, names a few, first those for another Python on Linux x86_64', () => {
  const pythons = ['cp38-cp38', 'cp39-cp39', 'cp310-cp310'];
  const systems = ['macosx_11_0_arm64', 'manylinux_2_28_x86_64', 'win_amd64'];
  const tags = systems.flatMap((system) => pythons.map((python) => `${python}-${system}`));
  const { message } = wheelsElsewhere('demo', '1.0', tags, NO_REQUIREMENTS, '3.11');
  const linux = pythons.map((python) => `${python}-manylinux_2_28_x86_64`).join(', ');
  const macos = pythons.map((python) => `${python}-macosx_11_0_arm64`).join(', ');
  assert.equal(
    message,
    `demo 1.0 has no wheel for Python 3.11 on Linux x86_64 (it has wheels for ${linux}, ${macos}, 3 others).`,
  );
});

const FAILURES = [
  {
    title: 'a package that does not exist',
    stderr: 'Because absent was not found in the package registry and you require absent, we can conclude',
    divides: false,
  },
  { title: 'a failure without a known cause', stderr: 'error: demo is odd', divides: true },
];
for (const { title, stderr, divides } of FAILURES) {
  const whether = divides ? 'might be resolved' : 'is not tried again';
  test(`${title} ${whether} for fewer endpoints`, () => {
    assert.equal(isConflict(resolutionError(stderr, NO_REQUIREMENTS, '3.11', [])), divides);
  });
}

test('the sentence has the reason without the warnings before it', () => {
  const stderr = 'warning: `demo==1.0` is yanked (reason: "old")\n\nerror: demo is odd\n';
  const { message } = resolutionError(stderr, NO_REQUIREMENTS, '3.11', []);
  assert.equal(message, 'The requirements could not be resolved: demo is odd.');
});

test('no error keeps the credentials in what uv printed', () => {
  for (const why of ['relative URL without a base', 'demo is odd']) {
    const stderr = `error: https://me:secret@a.example/simple: ${why}`;
    const { cause } = resolutionError(stderr, NO_REQUIREMENTS, '3.11', []);
    assert.match(String(cause), /a\.example/);
    assert.doesNotMatch(String(cause), /secret/);
  }
});
