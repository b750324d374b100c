/** The sentences for a failed resolution. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wheelsElsewhere } from '../../runtime/build/dependencies/resolutionError.ts';
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
