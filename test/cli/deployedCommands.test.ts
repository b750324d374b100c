/** Commands on deployed endpoints: they show what serves, and what they remove is gone. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type DeployDocument,
  deployDocument,
  historyDocument,
  type ListDocument,
  listDocument,
  type StatusDocument,
  undeployDocument,
} from '../../runtime/contract/cliDocuments.ts';
import { onTerminal } from '../setup/terminal.ts';
import { type Ran, workbench, writeProject } from '../setup/toolkit.ts';

const endpoint = (name: string): string => `from toolkit_sdk import Endpoint


@Endpoint(name="${name}", cpu="cpu3c-1-2", workers=(0, 1))
def ${name}(x: int):
    """Run."""
    return x
`;

describe('with three endpoints deployed', () => {
  const bench = workbench({ after });
  let project: string;
  let deployed: DeployDocument;

  before(async () => {
    project = bench.project('shop', {
      'pyproject.toml': '',
      'one.py': endpoint('one'),
      'two.py': endpoint('two'),
      'three.py': endpoint('three'),
    });
    deployed = (await toolkit(['deploy', '--json'])).json();
  });

  const toolkit = (args: string[]): Promise<Ran> => bench.toolkit(project, args);
  const names = async (): Promise<string[]> =>
    (await toolkit(['status', '--json'])).json<StatusDocument>().endpoints.map(({ name }) => name);

  it('list --deployed shows each address and build, and plain list shows none', async () => {
    const list = listDocument.parse((await toolkit(['list', '--deployed', '--json'])).json());
    assert.deepEqual(
      list.endpoints.map(({ name, deployed: where }) => ({
        name,
        id: where!.id,
        url: where!.url,
        build: where!.build,
      })),
      deployed.queueBased.map((one) => ({ name: one.name, id: one.id, url: one.url, build: 1 })),
    );
    const plain = (await toolkit(['list', '--json'])).json<ListDocument>();
    assert.ok(plain.endpoints.every((one) => one.deployed === null));
  });

  it('list --deployed includes endpoints that are deployed but no longer declared', async () => {
    const fewer = bench.project('shop-less', { 'pyproject.toml': '', 'one.py': endpoint('one') });
    const ran = await bench.toolkit(fewer, ['list', '--deployed', '--app', 'shop']);
    assert.match(ran.stderr, /Deployed but not declared here: three, two\./);
  });

  it('deploy --dry-run prints the plan and changes nothing', async () => {
    writeProject(project, { 'two.py': endpoint('two').replace('return x', 'return x + 1') });
    const ran = await toolkit(['deploy', '--dry-run', '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    const { plan, build } = deployDocument.parse(ran.json());
    assert.deepEqual(plan, {
      create: [],
      update: [{ name: 'two', reasons: ['code'] }],
      unchanged: ['one', 'three'],
      remove: [],
    });
    assert.equal(build, 1);
    const again = (await toolkit(['deploy', '--dry-run', '--json'])).json<DeployDocument>();
    assert.deepEqual(again.plan, plan, 'the first dry run changed something');
    assert.match((await toolkit(['deploy', '--dry-run'])).stdout, /~ two \(code\)[\s\S]*Nothing was changed/);
  });

  it('deploy --dry-run of a removal does not prompt', async () => {
    const fewer = bench.project('shop-none', { 'pyproject.toml': '', 'one.py': endpoint('one') });
    const ran = await bench.toolkit(fewer, ['deploy', '--dry-run', '--app', 'shop', '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    assert.deepEqual(ran.json<DeployDocument>().plan.remove, ['three', 'two']);
    assert.deepEqual(await names(), ['one', 'three', 'two']);
  });

  it('history lists each deploy, newest first, and which one serves', async () => {
    await toolkit(['deploy']);
    const { builds } = historyDocument.parse((await toolkit(['history', '--json'])).json());
    assert.deepEqual(
      builds.map(({ build, endpoints, current }) => ({ build, endpoints, current })),
      [
        { build: 2, endpoints: ['one', 'three', 'two'], current: true },
        { build: 1, endpoints: ['one', 'three', 'two'], current: false },
      ],
    );
    assert.ok(builds[0]!.time > builds[1]!.time);
    assert.match((await toolkit(['history'])).stdout, /● {2}2 {2}\d{4}-\d\d-\d\d .* one, three, two/);
    assert.match((await toolkit(['history', '--env', 'empty'])).stdout, /Nothing has been deployed/);
  });

  it('status of an environment without deployments says so, and succeeds', async () => {
    const ran = await toolkit(['status', '--env', 'empty', '--json']);
    assert.equal(ran.code, 0);
    assert.deepEqual(ran.json<StatusDocument>().endpoints, []);
    assert.match((await toolkit(['status', '--env', 'empty'])).stdout, /Nothing is deployed/);
  });

  it('undeploy without a terminal requires --yes, and otherwise changes nothing', async () => {
    const ran = await toolkit(['undeploy', 'one', '--json']);
    assert.equal(ran.code, 1);
    assert.equal(ran.json<{ error: { code: string } }>().error.code, 'CONFIRMATION_NEEDED');
    assert.deepEqual(await names(), ['one', 'three', 'two']);
  });

  it('undeploy of an unknown name changes nothing, and lists the known ones', async () => {
    const ran = await toolkit(['undeploy', 'one', 'oen', '--yes', '--json']);
    assert.equal(ran.code, 1);
    const { error } = ran.json<{ error: { code: string; message: string; hint: string } }>();
    assert.equal(error.code, 'ENDPOINT_NOT_FOUND');
    assert.match(error.message, /oen/);
    assert.match(error.hint, /one, three, two/);
    assert.deepEqual(await names(), ['one', 'three', 'two']);
  });

  it('undeploy prompts on a terminal; no keeps the endpoint, yes removes it', async () => {
    const ask = (key: string): ReturnType<typeof onTerminal> =>
      onTerminal(
        project,
        { TOOLKIT_HOME: bench.home },
        ['undeploy', 'one'],
        [[/Remove one from shop\/production\?/, key]],
      );
    assert.equal((await ask('n\r')).code, 1);
    assert.deepEqual(await names(), ['one', 'three', 'two']);
    assert.equal((await ask('y\r')).code, 0);
    assert.deepEqual(await names(), ['three', 'two']);
  });

  it('undeploy --all removes the rest; the next deploy brings everything back', async () => {
    const ran = await toolkit(['undeploy', '--all', '--yes', '--json']);
    assert.deepEqual(undeployDocument.parse(ran.json()).removed.toSorted(), ['three', 'two']);
    assert.deepEqual(await names(), []);
    const again = (await toolkit(['deploy', '--json'])).json<DeployDocument>();
    assert.deepEqual(again.plan.create, ['one', 'three', 'two']);
  });
});
