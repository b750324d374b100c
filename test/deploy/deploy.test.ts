/**
 * Deploys as users see them: nothing is sent twice, only changes are made, completely or not at all, and only
 * on request.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { DeployDocument, StatusDocument } from '../../runtime/contract/cliDocuments.ts';
import { workbench, writeProject } from '../setup/toolkit.ts';

const one = `from toolkit_sdk import Endpoint

@Endpoint(name="one", cpu="cpu3c-1-2", workers=(1, 1))
def one(x: int = 1):
    """First."""
    return x + 1
`;
const two = one.replaceAll('one', 'two').replace('x + 1', 'x + 2');
const pyproject = '[project]\nname = "pair"\n\n[tool.toolkit]\napp = "pair"\n';

interface ErrorDocument {
  error: { code: string; message: string; hint: string | null };
}

describe('toolkit deploy', () => {
  const bench = workbench({ after });
  let project: string;

  before(() => {
    project = bench.project('pair', { 'one.py': one, 'two.py': two, 'pyproject.toml': pyproject });
  });

  const deploy = async (...flags: string[]): Promise<DeployDocument> => {
    const ran = await bench.toolkit(project, ['deploy', '--json', ...flags]);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    return ran.json<DeployDocument>();
  };
  const refused = async (...flags: string[]): Promise<ErrorDocument['error'] & { stderr: string }> => {
    const ran = await bench.toolkit(project, ['deploy', '--json', ...flags]);
    assert.equal(ran.code, 1, ran.stdout + ran.stderr);
    return { ...ran.json<ErrorDocument>().error, stderr: ran.stderr };
  };
  const status = async (): Promise<StatusDocument> =>
    (await bench.toolkit(project, ['status', '--json'])).json();
  /** Endpoint → ids of its workers, read from their log folder on the platform. */
  const workers = async (name: string): Promise<string[]> => {
    const { stdout } = await bench.toolkit(project, ['logs', name, '--json']);
    return [
      ...new Set(
        stdout
          .trim()
          .split('\n')
          .filter(Boolean)
          .map((line) => (JSON.parse(line) as { worker: string }).worker),
      ),
    ];
  };

  it('creates the app and its environment when they do not exist', async () => {
    const deployed = await deploy();
    assert.deepEqual(deployed.plan, { create: ['one', 'two'], update: [], unchanged: [], remove: [] });
    assert.equal(deployed.app, 'pair');
    assert.equal(deployed.environment, 'production');
    const staging = await deploy('--env', 'staging');
    assert.equal(staging.environment, 'staging');
    assert.deepEqual(staging.plan.create, ['one', 'two']);
    const ids = (document: DeployDocument): string[] => document.queueBased.map(({ id }) => id);
    assert.equal(new Set([...ids(deployed), ...ids(staging)]).size, 4);
  });

  it('a second deploy uploads nothing and restarts nothing', async () => {
    const before = await status();
    const workersBefore = [await workers('one'), await workers('two')];
    const ran = await bench.toolkit(project, ['deploy', '--json']);
    assert.equal(ran.code, 0);
    assert.deepEqual(ran.json<DeployDocument>().plan, {
      create: [],
      update: [],
      unchanged: ['one', 'two'],
      remove: [],
    });
    assert.match(ran.stderr, /Upload\s+nothing to upload/);
    assert.deepEqual(
      (await status()).endpoints.map(({ id, url, build }) => [id, url, build]),
      before.endpoints.map(({ id, url, build }) => [id, url, build]),
    );
    assert.deepEqual([await workers('one'), await workers('two')], workersBefore);
  });

  it('replaces only the workers of the endpoint whose function was edited, which keeps its id and address', async () => {
    const before = await status();
    const two_before = await workers('two');
    writeFileSync(path.join(project, 'one.py'), one.replace('x + 1', 'x + 10'));
    const deployed = await deploy();
    assert.deepEqual(deployed.plan, {
      create: [],
      update: [{ name: 'one', reasons: ['code'] }],
      unchanged: ['two'],
      remove: [],
    });
    const of = (document: StatusDocument, name: string): [string, string] => {
      const { id, url } = document.endpoints.find((endpoint) => endpoint.name === name)!;
      return [id, url];
    };
    const now = await status();
    assert.deepEqual(of(now, 'one'), of(before, 'one'));
    assert.deepEqual(await workers('two'), two_before);
    const called = await bench.toolkit(project, ['call', 'one', '--input', '{"x": 1}', '--json']);
    assert.equal(called.json<{ output: number }>().output, 11);
  });

  it('refuses a project with a broken file, and removes nothing', async () => {
    const before = await status();
    writeFileSync(path.join(project, 'two.py'), two.replace('def two(x: int = 1):', 'def two(x: int = 1'));
    const { code, message } = await refused('--yes');
    assert.equal(code, 'PROJECT_HAS_ERRORS');
    assert.match(message, /two\.py:\d+/);
    assert.deepEqual(
      (await status()).endpoints.map(({ name }) => name),
      before.endpoints.map(({ name }) => name),
    );
    writeFileSync(path.join(project, 'two.py'), two);
  });

  it('refuses 31 workers, names endpoints and numbers, and changes nothing', async () => {
    const before = await status();
    writeFileSync(path.join(project, 'two.py'), two.replace('workers=(1, 1)', 'workers=(0, 30)'));
    const { code, message } = await refused();
    assert.match(code, /PROJECT_HAS_ERRORS|QUOTA_EXCEEDED/);
    for (const part of ['one', 'two', '31', '30']) assert.ok(message.includes(part), message);
    assert.deepEqual((await status()).endpoints, before.endpoints);
    // Two environments of one account share the quota: each alone is within it, both together are not.
    writeFileSync(path.join(project, 'two.py'), two.replace('workers=(1, 1)', 'workers=(0, 28)'));
    const both = await refused();
    assert.equal(both.code, 'QUOTA_EXCEEDED');
    assert.match(both.message, /two.*28|28.*two/s);
    assert.deepEqual((await status()).endpoints, before.endpoints);
    writeFileSync(path.join(project, 'two.py'), two);
  });

  it('without --yes and without a terminal keeps an endpoint whose declaration was removed', async () => {
    rmSync(path.join(project, 'two.py'));
    const { code, message, hint } = await refused();
    assert.equal(code, 'CONFIRMATION_NEEDED');
    assert.match(message, /remove two; nothing was changed/);
    assert.match(hint ?? '', /--yes/);
    assert.deepEqual(
      (await status()).endpoints.map(({ name }) => name),
      ['one', 'two'],
    );
  });

  it('with --yes removes it, and nothing else', async () => {
    const deployed = await deploy('--yes');
    assert.deepEqual(deployed.plan, { create: [], update: [], unchanged: ['one'], remove: ['two'] });
    assert.deepEqual(
      (await status()).endpoints.map(({ name }) => name),
      ['one'],
    );
  });

  it('a worker that does not start fails the deploy; the previous build keeps serving', async () => {
    writeFileSync(path.join(project, 'one.py'), `import no_such_package\n${one}`);
    const { code, message } = await refused();
    assert.equal(code, 'ROLLOUT_FAILED');
    assert.match(message, /no_such_package/);
    const called = await bench.toolkit(project, ['call', 'one', '--input', '{"x": 1}', '--json']);
    assert.equal(called.json<{ output: number }>().output, 11);
  });

  it("a package missing at run time fails the job with the package's name and the hint", async () => {
    const body = 'def one(x: int = 1):\n    """First."""\n    import no_such_package\n';
    writeFileSync(path.join(project, 'one.py'), one.replace(/def one[\s\S]*$/, body));
    await deploy();
    const called = await bench.toolkit(project, ['call', 'one', '--json']);
    assert.equal(called.code, 1);
    const { status: state, error } = called.json<{ status: string; error: string }>();
    assert.equal(state, 'FAILED');
    assert.match(error, /no_such_package/);
    assert.match(error, /declare it in dependencies and import it inside the function body/);
  });

  it('a hardware setting that the platform lacks is refused at plan time', async () => {
    writeFileSync(
      path.join(project, 'one.py'),
      one.replace('workers=(1, 1)', 'workers=(1, 1), image="my/image:1"'),
    );
    const { code, message } = await refused();
    assert.equal(code, 'SETTING_UNSUPPORTED');
    assert.match(message, /one/);
    assert.match(message, /image/);
  });

  it('leaves no temporary build folder behind', () => {
    assert.ok(existsSync(path.join(project, '.toolkit/artifact.tar.gz')));
    assert.ok(!existsSync(path.join(project, '.toolkit/.build')));
    assert.deepEqual(readdirSync(path.join(project, '.toolkit')).toSorted(), [
      'artifact.tar.gz',
      'toolkit_manifest.json',
    ]);
  });

  it('a project without endpoints reports what to check', async () => {
    const empty = writeProject(path.join(bench.folder, 'empty'), {
      'pyproject.toml': pyproject,
      'a.py': 'x = 1\n',
    });
    for (const command of ['build', 'deploy']) {
      const ran = await bench.toolkit(empty, [command, '--json']);
      assert.equal(ran.code, 1);
      const { error } = ran.json<ErrorDocument>();
      assert.equal(error.code, 'NO_ENDPOINTS');
      assert.match(`${error.message} ${error.hint}`, /decorator syntax/i);
      assert.match(`${error.message} ${error.hint}`, /ignore/i);
    }
  });
});
