/** The worker's own requirements, resolved with the real index. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { findUv } from '../../runtime/build/dependencies/installer.ts';
import { findPython } from '../../runtime/build/dependencies/interpreter.ts';
import { lockOf } from '../../runtime/build/dependencies/lockDocument.ts';
import { RELEASED_VERSIONS } from '../../runtime/build/dependencies/releasedVersions.ts';
import { resolve } from '../../runtime/build/dependencies/resolve.ts';
import { WORKER_REQUIREMENTS } from '../../runtime/contract/names.ts';
import { ANY_PYTHON } from '../../runtime/source/requiresPython.ts';
import { NO_REQUIREMENTS, shareUv } from './projects.ts';
import { scratch } from './scratch.ts';

for (const python of ['3.11', '3.12', '3.13', '3.14']) {
  test(`on Python ${python}, the release names the version of every package that its workers need`, async () => {
    const home = scratch('released');
    await shareUv(home);
    const signal = new AbortController().signal;
    const options = { env: process.env, signal, report: () => {}, toolkitHome: home };
    const interpreter = await findPython({ ...options, target: ANY_PYTHON });
    const requirements = Object.values(WORKER_REQUIREMENTS)
      .flat()
      .map((text) => ({ text, name: text.split(/[^a-z]/)[0]!, origins: [] }));
    const resolved = await resolve({ ...NO_REQUIREMENTS, requirements }, lockOf(RELEASED_VERSIONS), {
      ...options,
      root: home,
      uv: await findUv(options, () => Promise.resolve(interpreter)),
      interpreter: interpreter.path,
      python,
      workDir: path.join(home, 'resolve'),
      indexArguments: [],
      makeWheel: () => assert.fail('all packages have wheels'),
    });
    const versions = Object.fromEntries(resolved.packages.map(({ name, version }) => [name, version]));
    const released = Object.entries(RELEASED_VERSIONS).filter(([name]) => name in versions);
    assert.deepEqual(versions, Object.fromEntries(released));
  });
}
