/**
 * The dev server as the extension starts, finds and stops it: real windows, real processes, a real platform.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevRecord } from '../../runtime/contract/devSocket.ts';
import { DevSession } from '../dev/devSession.ts';
import { cleanEnvironment, workbench } from '../setup/toolkit.ts';
import { ensureVsix } from '../setup/vsix.ts';
import { VSCode } from './VSCode.ts';
import { Workbench } from './Workbench.ts';

const PORT = 31_000 + Math.floor(Math.random() * 9_000);
const ENDPOINT = `from lib.steps import fail
from toolkit_sdk import Endpoint

api = Endpoint(name="api", cpu="cpu3c-1-2", workers=(0, 1))


@api.get("/twice")
def twice(x: int):
    """Twice a number."""
    return fail(x) if x < 0 else 2 * x
`;
const STEPS = `def fail(x):
    raise ValueError(f"no {x}")
`;

describe('the dev server in VS Code', () => {
  const bench = workbench({ after });
  // Editors and URLs escape different characters.
  const project = bench.project("shop (1)'s #2 50%", {
    'pyproject.toml': '[tool.toolkit]\napp = "shop"\n',
    'api.py': ENDPOINT,
    'lib/steps.py': STEPS,
  });
  let code: VSCode;
  let window: Workbench;

  before(async () => {
    const env = { ...cleanEnvironment(), TOOLKIT_HOME: bench.home };
    const settings = { 'toolkit.dev.port': PORT };
    code = await VSCode.start({
      home: path.join(bench.folder, 'vscode'),
      env,
      settings,
      install: [ensureVsix()],
    });
    window = new Workbench(await code.open(project));
    await window.status.getByText('shop/production').waitFor();
  });
  after(() => code.stop());
  afterEach((t) => window.pictureOfFailure(t));

  const records = (): DevRecord[] => {
    const folder = path.join(bench.home, 'dev');
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names.map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as DevRecord);
  };
  const twice = (url: string, x: number) =>
    fetch(`${url}/api/twice?x=${x}`).then((answer) => answer.json() as Promise<unknown>);
  const shown = (port: number) => window.status.getByText(`dev :${port}`).waitFor();
  /** Whether the status bar shows the dev server again; false if that has ended. */
  const isBack = async () => {
    for (; records().length > 0; await sleep(100))
      if (await window.status.getByText(`dev :${PORT}`).isVisible()) return true;
    return false;
  };

  it('starts, and shows its address', async () => {
    await window.run('Toolkit: Start Dev Server');
    await window.message(`The dev server of shop is ready at http://localhost:${PORT}.`).waitFor();
    await shown(PORT);
    const [record] = records();
    assert.deepEqual([record!.root, record!.attached], [project, true]);
    assert.equal(await twice(record!.url, 3), 6);
  });

  it('links the lines of tracebacks in its log to the project', async () => {
    await twice(records()[0]!.url, -1);
    await window.run('Toolkit: Show Dev Log');
    // VS Code gives a link another class while the key is held down.
    const link = window.page.locator('.output-view [class*=detected-link]', { hasText: 'steps.py' }).first();
    await link.waitFor();
    await link.click({ modifiers: ['ControlOrMeta'] });
    await window.page.getByRole('tab', { name: 'steps.py' }).waitFor();
    await window.page.locator('.statusbar-item', { hasText: 'Ln 2, Col 1' }).waitFor();
  });

  it('opens its API explorer', async () => {
    const opened = window.page.waitForEvent('popup');
    await window.run('Toolkit: Open API Explorer');
    const explorer = await opened;
    // The address that this VS Code uses for a port of its machine.
    await explorer.waitForURL(`**/proxy/${PORT}/docs`, { waitUntil: 'commit' });
    await explorer.close();
  });

  it('continues when the window is reloaded', async () => {
    let before = records();
    await window.page.reload();
    // On a busy machine, a reload can take longer than a dev server waits for its window.
    for (let tries = 1; !(await isBack()) && tries < 8; tries += 1) {
      await window.run('Toolkit: Start Dev Server');
      await shown(PORT);
      before = records();
      await window.page.reload();
    }
    await shown(PORT);
    assert.deepEqual(records(), before);
  });

  it('stops with its live endpoints', async () => {
    const { pid } = records()[0]!;
    await window.run('Toolkit: Stop Dev Server');
    await window.status.getByText('dev :').waitFor({ state: 'detached' });
    assert.deepEqual(records(), []);
    while (processes().some((one) => one.pid === pid)) await sleep(20);
  });

  it('takes the next port and reports it when its own is in use', async () => {
    const server = createServer().listen(PORT, 'localhost');
    await window.run('Toolkit: Start Dev Server');
    await window.message(`Port ${PORT} is in use.`).waitFor();
    await shown(PORT + 1);
    server.close();
    await window.run('Toolkit: Stop Dev Server');
    await window.status.getByText('dev :').waitFor({ state: 'detached' });
  });

  it('reports why it does not start, with a button to try again', async () => {
    const file = path.join(project, '.env');
    writeFileSync(file, `PLATFORM_API_URL=http://127.0.0.1:${PORT + 1_000}\nPLATFORM_API_KEY=abc\n`);
    await window.run('Toolkit: Start Dev Server');
    const text = /The dev server of shop did not start: .* cannot be reached/;
    await window.message(text).waitFor();
    writeFileSync(file, '');
    await window.press(text, 'Try Again');
    await shown(PORT);
    await window.run('Toolkit: Stop Dev Server');
    await window.status.getByText('dev :').waitFor({ state: 'detached' });
  });

  it('uses one that was started in a terminal, and leaves it running', async () => {
    const dev = await DevSession.start(project, bench.home);
    await shown(Number(new URL(dev.url).port));
    await window.run('Toolkit: Stop Dev Server');
    await window.message('was started in a terminal').waitFor();
    assert.equal(await twice(dev.url, 4), 8);
    await dev.stop();
    await window.status.getByText('dev :').waitFor({ state: 'detached' });
  });

  it('ends with its window, and leaves no process or live endpoint behind', async () => {
    await window.status.click();
    await window.choose('Start Dev Server');
    await shown(PORT);
    await twice(records()[0]!.url, 5);
    assert.ok(processes().some(({ line }) => /dev --json|server\.js/.test(line)));
    await window.close();
    const ours = () => processes().filter(({ line }) => !/server-main|bootstrap-fork|platform/.test(line));
    for (const until = performance.now() + 30_000; ours().length > 0; await sleep(200))
      assert.ok(
        performance.now() < until,
        ours()
          .map(({ line }) => line)
          .join('\n'),
      );
    const status = await bench.toolkit(project, ['status', '--json']);
    assert.deepEqual(status.json<{ endpoints: unknown[] }>().endpoints, []);
  });

  /** Processes with the home of these tests, except VS Code's own. */
  function processes(): { pid: number; line: string }[] {
    return readdirSync('/proc').flatMap((name) => {
      try {
        const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
        if (!environment.includes(`TOOLKIT_HOME=${bench.home}`)) return [];
        const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line === '' ? [] : [{ pid: Number(name), line }];
      } catch {
        // Not a process, or one that has ended.
        return [];
      }
    });
  }
});
