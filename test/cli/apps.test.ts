/** Apps and environments by name: created, listed, and removed with their content. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { appsDocument, environmentsDocument } from '../../runtime/contract/cliDocuments.ts';
import { type Ran, workbench } from '../setup/toolkit.ts';

const worker =
  'from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="one", cpu="cpu3c-1-2", workers=(0, 1))\ndef one(x: int):\n    """One."""\n    return x\n';

describe('toolkit app and toolkit env', () => {
  const bench = workbench({ after });
  let project: string;

  before(() => {
    project = bench.project('shop', { 'pyproject.toml': '', 'one.py': worker });
  });

  const toolkit = (...args: string[]): Promise<Ran> => bench.toolkit(project, [...args, '--json']);
  const failed = async (...args: string[]): Promise<{ code: string; message: string; hint: string }> => {
    const ran = await toolkit(...args);
    assert.equal(ran.code, 1, ran.stdout);
    return ran.json<{ error: { code: string; message: string; hint: string } }>().error;
  };
  const apps = async (...args: string[]) => appsDocument.parse((await toolkit('app', ...args)).json());
  const envs = async (...args: string[]) =>
    environmentsDocument.parse((await toolkit('env', ...args)).json());

  it('lists none at first', async () => {
    assert.deepEqual(await apps('list'), []);
    assert.equal((await failed('env', 'list')).code, 'APP_NOT_FOUND');
  });

  it('creates an app once', async () => {
    assert.deepEqual(await apps('create', 'shop'), [{ name: 'shop', environments: [], endpoints: 0 }]);
    assert.equal((await failed('app', 'create', 'shop')).code, 'CONFLICT');
    assert.deepEqual(await apps('list'), [{ name: 'shop', environments: [], endpoints: 0 }]);
  });

  it("creates an environment in the project's app, which a deploy then fills", async () => {
    const empty = { name: 'staging', app: 'shop', build: 0, endpoints: [] };
    assert.deepEqual(await envs('create', 'staging'), [empty]);
    assert.deepEqual(await envs('show', 'staging'), [empty]);
    assert.equal((await failed('env', 'create', 'staging')).code, 'CONFLICT');
    assert.equal((await toolkit('deploy', '--env', 'staging')).code, 0);
    assert.deepEqual(await envs('show', '--env', 'staging'), [{ ...empty, build: 1, endpoints: ['one'] }]);
    assert.deepEqual(await apps('list'), [{ name: 'shop', environments: ['staging'], endpoints: 1 }]);
  });

  it('reports a missing environment with the existing ones', async () => {
    const { code, hint } = await failed('env', 'show', 'stagign');
    assert.equal(code, 'ENVIRONMENT_NOT_FOUND');
    assert.match(hint, /Existing environments: staging\./);
  });

  for (const [words, lost] of [
    [['env', 'delete', 'staging'], /the environment shop\/staging with 1 endpoint/],
    [['app', 'delete', 'shop'], /the app shop with 1 environment and 1 endpoint/],
  ] as const)
    it(`${words.join(' ')} without --yes and without a terminal says what would be removed, and keeps it`, async () => {
      const { code, message } = await failed(...words);
      assert.equal(code, 'CONFIRMATION_NEEDED');
      assert.match(message, lost);
      assert.deepEqual(await apps('list'), [{ name: 'shop', environments: ['staging'], endpoints: 1 }]);
    });

  it('deletes an environment with its endpoints, then the app', async () => {
    assert.deepEqual(await envs('delete', 'staging', '--yes'), [
      { name: 'staging', app: 'shop', build: 1, endpoints: ['one'] },
    ]);
    assert.deepEqual(await envs('list'), []);
    assert.deepEqual(await apps('delete', 'shop', '--yes'), [
      { name: 'shop', environments: [], endpoints: 0 },
    ]);
    assert.equal((await failed('app', 'delete', 'shop', '--yes')).code, 'APP_NOT_FOUND');
  });
});
