/** The core process as the extension uses it: real calls over its channel, to a real platform. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Core, type Surroundings } from '../../client/core/Core.ts';
import type { CoreQuestion } from '../../runtime/contract/coreMessages.ts';
import type { DevRecord } from '../../runtime/contract/devSocket.ts';
import type { ProgressEvent } from '../../runtime/contract/progress.ts';
import { DevSession } from '../dev/devSession.ts';
import { cli, workbench } from '../setup/toolkit.ts';

const endpoint = (name: string, answer = 'x'): string => `from toolkit_sdk import Endpoint


@Endpoint(name="${name}", cpu="cpu3c-1-2", workers=(0, 1))
def ${name}(x: int):
    """Run."""
    return ${answer}
`;

describe('the core process', () => {
  const bench = workbench({ after });
  const logged: string[] = [];
  let surroundings: Surroundings = { variables: { TOOLKIT_HOME: bench.home }, keys: {} };
  const core = new Core(
    cli,
    async () => surroundings,
    (text) => logged.push(text),
  );
  after(() => core.dispose());
  const project = bench.project('shop', {
    'pyproject.toml': '[tool.toolkit]\napp = "shop"\n',
    'one.py': endpoint('one'),
    'two.py': endpoint('two'),
  });
  const yes = async () => true;

  it('creates a project', async () => {
    const root = path.join(bench.folder, 'fresh');
    const made = await core.call('init', { project: null, args: [root], flags: { template: 'tutorial' } });
    assert.equal(made.project, root);
    assert.ok(existsSync(path.join(root, 'pyproject.toml')));
  });

  it('prompts before it overwrites files, and changes nothing after a no', async () => {
    const root = bench.project('kept', { 'README.md': 'mine' });
    const questions: CoreQuestion[] = [];
    const onQuestion = async (question: CoreQuestion) => {
      questions.push(question);
      return false;
    };
    await assert.rejects(core.call('init', { project: null, args: [root], onQuestion }), {
      code: 'INTERRUPTED',
      message: 'Cancelled; nothing was changed.',
    });
    assert.deepEqual(
      questions.map(({ kind }) => kind),
      ['consent'],
    );
    assert.equal(readFileSync(path.join(root, 'README.md'), 'utf8'), 'mine');
    assert.ok(!existsSync(path.join(root, 'pyproject.toml')));
  });

  it('reports what is unknown without a running platform, and starts none', async () => {
    assert.deepEqual(await core.call('deployed', { project }), {
      app: 'shop',
      environment: 'production',
      platform: null,
      endpoints: [],
    });
    assert.deepEqual(await core.call('pending', { project }), {
      state: 'unknown',
      reason: 'The embedded platform is not running.',
    });
  });

  it('deploys after the plan is confirmed, and reports each stage', async () => {
    const progress: ProgressEvent[] = [];
    const questions: CoreQuestion[] = [];
    const onQuestion = async (question: CoreQuestion) => {
      questions.push(question);
      return true;
    };
    const deployed = await core.call('deploy', {
      project,
      onQuestion,
      onProgress: (event) => progress.push(event),
    });
    const [question] = questions;
    assert.ok(question?.kind === 'plan' && questions.length === 1);
    assert.deepEqual(question.review.plan, { create: ['one', 'two'], update: [], unchanged: [], remove: [] });
    assert.deepEqual(deployed.plan, question.review.plan);
    const started = progress.flatMap((one) =>
      one.type === 'stage' && one.state === 'started' ? [one.stage] : [],
    );
    assert.deepEqual(started, ['Build', 'Upload', 'Provision', 'Configure']);
    const now = await core.call('deployed', { project });
    assert.deepEqual(
      now.endpoints.map(({ name }) => name),
      ['one', 'two'],
    );
    assert.equal(now.platform?.embedded, true);
  });

  it('knows after a save what a deploy would change, and a deploy then does that', async () => {
    const nothing = await core.call('pending', { project });
    assert.deepEqual(nothing, {
      state: 'known',
      plan: { create: [], update: [], unchanged: ['one', 'two'], remove: [] },
    });
    writeFileSync(path.join(project, 'one.py'), endpoint('one', 'x + 1'));
    const changed = await core.call('pending', { project });
    const plan = { create: [], update: [{ name: 'one', reasons: ['code'] }], unchanged: ['two'], remove: [] };
    assert.deepEqual(changed, { state: 'known', plan });
    const deployed = await core.call('deploy', { project, onQuestion: yes });
    assert.deepEqual(deployed.plan, plan);
  });

  it('cannot predict a deploy when requirements are not locked or the code has errors', async () => {
    writeFileSync(path.join(project, 'requirements.txt'), 'six\n');
    const unlocked = await core.call('pending', { project });
    assert.deepEqual(unlocked, {
      state: 'unknown',
      reason: 'The dependencies have not been resolved yet.',
    });
    writeFileSync(path.join(project, 'requirements.txt'), '');
    writeFileSync(path.join(project, 'three.py'), endpoint('one'));
    const wrong = await core.call('pending', { project });
    assert.equal(wrong.state, 'unknown');
    writeFileSync(path.join(project, 'three.py'), '');
  });

  it('changes nothing when the plan is declined or the deploy is cancelled', async () => {
    writeFileSync(path.join(project, 'two.py'), endpoint('two', 'x + 2'));
    const builds = async () => {
      const { endpoints } = await core.call('deployed', { project });
      return endpoints.map(({ name, build }) => [name, build]);
    };
    const before = await builds();
    await assert.rejects(core.call('deploy', { project, onQuestion: async () => false }), {
      code: 'INTERRUPTED',
    });
    const cancelled = new AbortController();
    const onProgress = () => cancelled.abort();
    await assert.rejects(
      core.call('deploy', { project, onQuestion: yes, onProgress, signal: cancelled.signal }),
      { code: 'INTERRUPTED' },
    );
    assert.deepEqual(await builds(), before);
  });

  it('reports the real state when a deploy is cancelled at any stage', async () => {
    const builds = async () => {
      const { endpoints } = await core.call('deployed', { project });
      return endpoints.map(({ name, build }) => [name, build]);
    };
    for (const stage of ['Build', 'Upload', 'Provision'] as const) {
      const before = await builds();
      const cancelled = new AbortController();
      const onProgress = (event: ProgressEvent) => {
        if (event.type === 'stage' && event.stage === stage && event.state === 'started') cancelled.abort();
      };
      const options = { project, onQuestion: yes, onProgress, signal: cancelled.signal };
      const outcome = await core.call('deploy', options).catch((error: Error & { code: string }) => error);
      assert.ok(outcome instanceof Error, `${stage}: the deploy continued`);
      assert.equal(outcome.code, 'INTERRUPTED', stage);
      if (stage === 'Provision') assert.match(outcome.message, /the platform continues the rollout/);
      else assert.deepEqual(await builds(), before, outcome.message);
    }
    while ((await builds()).every(([, build]) => build !== 3)) await sleep(50);
  });

  it('removes the named endpoints', async () => {
    const removed = await core.call('undeploy', { project, args: ['two'], onQuestion: yes });
    assert.deepEqual(removed, { removed: ['two'] });
  });

  it("uses the editor's key only for that key's platform, and after the environment", async () => {
    const own = await core.call('deployed', { project });
    const url = own.platform!.url;
    surroundings = { variables: { ...surroundings.variables, PLATFORM_API_URL: url }, keys: {} };
    // The platform's own key is in the credentials file; a wrong key of the editor takes precedence over it.
    await assert.rejects(
      (async () => {
        surroundings = { ...surroundings, keys: { [url]: 'sekret-of-the-editor' } };
        return core.call('account', { project });
      })(),
      (error: Error & { code: string }) => {
        assert.equal(error.code, 'KEY_REJECTED');
        assert.match(error.message, /from the editor's secret storage/);
        assert.doesNotMatch(error.message, /sekret/);
        return true;
      },
    );
    surroundings = { ...surroundings, keys: { 'https://other.example': 'sekret' } };
    assert.equal((await core.call('account', { project })).platform, url);
    surroundings = { variables: { TOOLKIT_HOME: bench.home }, keys: {} };
  });

  it('reports dev servers that start and stop, the newest first', async () => {
    const seen: DevRecord[][] = [];
    const until = async (count: number) => {
      while (seen.at(-1)?.length !== count) await sleep(10);
      return seen.at(-1)!.map(({ url }) => url);
    };
    const following = new AbortController();
    const options = { project, flags: { follow: true }, signal: following.signal };
    const call = core.call('dev records', { ...options, onLine: (records) => seen.push(records) });
    assert.deepEqual(await until(0), []);
    const older = await DevSession.start(project, bench.home);
    assert.deepEqual(await until(1), [older.url]);
    const newer = await DevSession.start(project, bench.home);
    assert.deepEqual(await until(2), [newer.url, older.url]);
    // A record of a version that does not say who started it belongs to a terminal.
    const { run } = seen.at(-1)![0]!;
    const file = path.join(bench.home, 'dev', `${run}.json`);
    const { attached, ...record } = JSON.parse(readFileSync(file, 'utf8')) as DevRecord;
    writeFileSync(file, JSON.stringify(record));
    const [first] = await core.call('dev records', { project });
    assert.deepEqual(first, { ...record, attached: false });
    await newer.stop();
    assert.deepEqual(await until(1), [older.url]);
    await older.stop();
    await until(0);
    following.abort();
    await call;
  });

  it('is started again after it was killed, and its calls fail with a message', async () => {
    const call = core.call('logs', { project, args: ['one'], flags: { follow: true } });
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
    const pid = children.find((one) => readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('core'))!;
    const asked = Promise.withResolvers<AbortSignal>();
    const onQuestion = (_question: CoreQuestion, ended: AbortSignal) => {
      asked.resolve(ended);
      return once(ended, 'abort').then(() => true);
    };
    writeFileSync(path.join(project, 'one.py'), endpoint('one', 'x + 7'));
    const deploy = core.call('deploy', { project, onQuestion });
    const ended = await asked.promise;
    process.kill(Number(pid), 'SIGKILL');
    await assert.rejects(call, /core process ended by SIGKILL/);
    await assert.rejects(deploy, /core process ended by SIGKILL/);
    assert.ok(ended.aborted);
    assert.equal((await core.call('deployed', { project })).app, 'shop');
  });

  it('ends with its editor', async () => {
    await core.dispose();
    assert.deepEqual(logged, []);
  });
});
