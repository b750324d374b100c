/** Deploying from VS Code as a user does: the plan, the addresses, and the Endpoints view. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StatusDocument } from '../../runtime/contract/cliDocuments.ts';
import { cleanEnvironment, workbench } from '../setup/toolkit.ts';
import { ensureVsix } from '../setup/vsix.ts';
import { VSCode } from './VSCode.ts';
import { Workbench } from './Workbench.ts';

const QUEUE = (name: string, answer = 'x') => `from toolkit_sdk import Endpoint


@Endpoint(name="${name}", cpu="cpu3c-1-2", workers=(0, 1))
def ${name}(x: int):
    """Run ${name}."""
    print("working on", x)
    return ${answer}
`;

const SERVICE = `from toolkit_sdk import Endpoint

api = Endpoint(name="api", cpu="cpu3c-1-2", workers=(0, 1))


@api.get("/items/{item}")
def item(item: int, verbose: bool = False):
    """Show an item."""
    return {"item": item}
`;

describe('deploying from VS Code', () => {
  const bench = workbench({ after });
  const home = mkdtempSync(path.join(tmpdir(), 'toolkit-deploy-'));
  const env = { ...cleanEnvironment(), TOOLKIT_HOME: bench.home };
  // Editors and URLs escape different characters.
  const project = bench.project("shop (1)'s #2 50%", {
    'pyproject.toml': '[tool.toolkit]\napp = "shop"\n',
    'one.py': QUEUE('one'),
    'two.py': QUEUE('two'),
    'service.py': SERVICE,
  });
  let code: VSCode;
  let window: Workbench;

  before(async () => {
    code = await VSCode.start({ home, env, install: [ensureVsix()] });
    window = new Workbench(await code.open(project));
    await window.showEndpoints();
    await window.entry(/^one, cpu3c-1-2/).waitFor();
  });
  after(async () => {
    await code.stop();
    rmSync(home, { recursive: true, force: true });
  });

  afterEach(async (t) => {
    await window.pictureOfFailure(t);
    await window.awaitMessages();
  });

  const clipboard = () => window.clipboard();
  const status = async () => (await bench.toolkit(project, ['status', '--json'])).json<StatusDocument>();
  const deployed = async () => (await status()).endpoints.map(({ name, build }) => `${name} ${build}`);

  /** The entry of an endpoint that is deployed but not declared. */
  const undeclared = (name: string) =>
    window.entry(new RegExp(`^${name}, deployed, no longer in the source`));

  /** Ids of the language server's processes. */
  const servers = () =>
    readdirSync('/proc').flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return line.includes(home) && /dist\/server\.js/.test(line) ? [Number(pid)] : [];
      } catch {
        // Not a process, or one that has ended.
        return [];
      }
    });

  /** Waits for a language server, and ends it at once. */
  async function killServer(): Promise<void> {
    while (servers().length === 0) await sleep(5);
    const [pid] = servers();
    process.kill(pid!, 'SIGKILL');
    while (servers().includes(pid!)) await sleep(5);
  }

  it('shows the plan first, and Escape changes nothing', async () => {
    await window.run('Toolkit: Deploy');
    await window.page.getByText('Deploy: create 3').waitFor();
    for (const name of ['api', 'one', 'two'])
      await window.page.locator('.quick-input-list').getByText(name, { exact: true }).waitFor();
    await window.picture('plan');
    await window.page.keyboard.press('Escape');
    await window.message('Cancelled; nothing was changed.').waitFor();
    assert.deepEqual(await deployed(), []);
  });

  it('explains why an endpoint that never ran has no log', async () => {
    await window.openFile('one.py');
    const explained = window.message('one has no logs: it is not deployed');
    await window.clickLens(window.lens('Logs').first(), explained);
  });

  it('deploys once for two clicks', async () => {
    await window.openFile('one.py');
    await window
      .lens(/^Deploy$/)
      .first()
      .dblclick();
    await window.message('shop is already being deployed.').waitFor();
    await window.page.getByText('Deploy: create 3').waitFor();
    await window.page.keyboard.press('Escape');
    await window.message('Cancelled; nothing was changed.').waitFor();
    assert.deepEqual(await deployed(), []);
  });

  it('deploys after Enter, shows the addresses at the end, and shows builds in the tree', async () => {
    await window.run('Toolkit: Deploy');
    await window.page.getByText('Deploy: create 3').waitFor();
    await window.page.keyboard.press('Enter');
    const done = window.message('Deployed shop/production, build 1.');
    await done.waitFor();
    assert.deepEqual(await deployed(), ['api 1', 'one 1', 'two 1']);
    await done.getByRole('button', { name: 'Show URLs' }).click();
    await window.page.getByText('URLs of shop/production').waitFor();
    await window.choose('one');
    await window.page.getByText(/Copied http/).waitFor();
    const [url] = (await status()).endpoints.flatMap((one) => (one.name === 'one' ? [one.url] : []));
    assert.equal(await clipboard(), `${url}/runsync`);
    await window.entry(/^one, cpu3c-1-2 · build 1$/).waitFor();
    await window.picture('explorer');
  });

  it('shows in its lenses where an endpoint is deployed, also after the language server has crashed', async () => {
    await killServer();
    while (servers().length === 0) await sleep(20);
    // Not open before: the lenses of an open editor are those of the crashed server.
    await window.openFile('one.py');
    await window
      .lens(/^http.*\/runsync$/)
      .first()
      .waitFor();
  });

  it('offers to start a language server that keeps crashing, also before it has responded', async () => {
    const ended = window.message('keeps crashing');
    // There is one crash above.
    for (let crashes = 1; crashes < 5; crashes += 1) await killServer();
    await ended.waitFor();
    assert.deepEqual(servers(), []);
    assert.equal(await window.message(/connection|initialization/).count(), 0, 'these are only logged');
    await ended.getByRole('button', { name: 'Restart' }).click();
    await window.replaceText('two.py', QUEUE('two', 'x + 0'));
    await window.entry(/^two, cpu3c-1-2 · undeployed changes/).waitFor();
    await window.replaceText('two.py', QUEUE('two'));
    await window.entry(/^two, cpu3c-1-2 · build 1$/).waitFor();
  });

  it('says that there is nothing to do when nothing has changed', async () => {
    await window.run('Toolkit: Deploy');
    await window.message('shop/production is up to date, build 1.').waitFor();
  });

  it('marks undeployed changes after a save, and plans only those', async () => {
    await window.replaceText('one.py', QUEUE('one', 'x + 1'));
    await window.entry(/^one, cpu3c-1-2 · undeployed changes/).waitFor();
    await window
      .entry(/^App shop/)
      .getByText('production · 1 to deploy')
      .waitFor();
    await window.run('Toolkit: Deploy');
    await window.page.getByText('Deploy: update 1').waitFor();
    await window.page.keyboard.press('Enter');
    await window.message('Deployed shop/production, build 2.').waitFor();
    await window.entry(/^one, cpu3c-1-2 · build 2$/).waitFor();
  });

  it('shows endpoints that are deployed but no longer declared, and undeploys one after confirmation', async () => {
    await window.replaceText('two.py', '');
    const gone = undeclared('two');
    await window
      .entry(/^App shop/)
      .getByText('production · 1 to deploy')
      .waitFor();
    await gone.hover();
    await gone.getByRole('button', { name: 'Undeploy' }).click();
    const { dialog } = window;
    await dialog.getByText('Remove two from shop/production?').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await window.message('Cancelled; nothing was changed.').waitFor();
    assert.deepEqual(await deployed(), ['api 1', 'one 2', 'two 1']);
    await window.awaitMessages();
    await gone.hover();
    await gone.getByRole('button', { name: 'Undeploy' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await window.message('Removed two.').waitFor();
    await gone.waitFor({ state: 'detached' });
    assert.deepEqual(await deployed(), ['api 1', 'one 2']);
  });

  it('asks twice before a plan that removes something, and changes nothing after the second no', async () => {
    await window.replaceText('one.py', '');
    await window.run('Toolkit: Deploy');
    await window.page.getByText('Deploy: remove 1').waitFor();
    await window.page.keyboard.press('Enter');
    const { dialog } = window;
    await dialog.getByText('Remove one from shop/production?').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(await deployed(), ['api 1', 'one 2']);
    await window.replaceText('one.py', QUEUE('one', 'x + 1'));
    await window.entry(/^one, cpu3c-1-2 · build 2$/).waitFor();
  });

  it('opens the declaration of an entry, and selects the entry at the cursor', async () => {
    await window.entry(/^api, /).click();
    await window.page.getByRole('tab', { name: /^service\.py/ }).waitFor();
    await window.openFile('one.py');
    await window.goTo(5);
    await window.page.locator('.pane-body .monaco-list-row.selected', { hasText: 'one' }).waitFor();
  });

  it('copies a complete request with the key as a variable, from the entry and from the lens', async () => {
    await window.openFile('service.py');
    await window.clickLens(window.lens('Copy as curl').first(), window.page.getByText('Copied as curl'));
    const api = (await status()).endpoints.find(({ name }) => name === 'api')!;
    assert.equal(
      await clipboard(),
      `curl -X GET '${api.url}/items/1?verbose=false' \\\n  -H "Authorization: Bearer $PLATFORM_API_KEY"`,
    );
  });

  it('shows the log of an endpoint as it grows', async () => {
    await window.openFile('one.py');
    await bench.toolkit(project, ['call', 'one', '--input', '{"x": 42}']);
    const line = window.page.locator('.part.panel').getByText('working on 42');
    await window.clickLens(window.lens('Logs').first(), line);
    await bench.toolkit(project, ['call', 'one', '--input', '{"x": 43}']);
    await window.page.locator('.part.panel').getByText('working on 43').waitFor();
  });

  it('hides lenses by kind', async () => {
    await window.lens('Deploy').first().waitFor();
    code.configure({ 'toolkit.lenses': { deploy: false, logs: false } });
    await window
      .lens(/^Deploy$/)
      .first()
      .waitFor({ state: 'detached' });
    await window.lens('Run').first().waitFor();
    code.configure({});
    await window
      .lens(/^Deploy$/)
      .first()
      .waitFor();
  });

  it('deploys to another environment, which can be selected', async () => {
    await window.run('Toolkit: Deploy to…');
    await window.choose('Another environment…');
    await window.answer('Name of the environment', 'staging');
    await window.page.getByText('Deploy: create 2').waitFor();
    await window.page.keyboard.press('Enter');
    await window.message('Deployed shop/staging, build 1.').waitFor();
    await window.run('Toolkit: Select Environment');
    await window.choose('staging');
    await window.entry(/^App shop, environment staging/).waitFor();
    await window.entry(/^one, cpu3c-1-2 · build 1$/).waitFor();
  });

  it('names everything in the Endpoints view that can be activated, and the keyboard reaches it', async () => {
    const view = window.page.locator('.part.sidebar');
    const names = await view
      .locator('[role=treeitem]:visible, [role=button]:visible, [role=tab]:visible')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent ?? ''));
    assert.ok(names.length > 5, names.join('|'));
    assert.deepEqual(
      names.filter((name) => name.trim() === ''),
      [],
    );
    await window.run('View: Close All Editors');
    await window.run('Endpoints: Focus on Endpoints View');
    await window.page.keyboard.press('Home');
    for (const key of ['ArrowDown', 'Enter']) await window.page.keyboard.press(key);
    await window.page.getByRole('tab', { name: /\.py/ }).first().waitFor();
    await window.run('Endpoints: Focus on Endpoints View');
    await window.page.keyboard.press('Shift+F10');
    const menu = window.page.locator('.context-view .monaco-menu');
    for (const name of [
      'Run',
      'Reveal Declaration',
      'Deploy',
      'Show Logs',
      'Copy URL',
      'Copy as curl',
      'Undeploy',
    ])
      await menu.getByRole('menuitem', { name, exact: true }).waitFor();
    await window.page.keyboard.press('Escape');
  });

  it('filters the tree', async () => {
    await window.replaceText('one.py', QUEUE('one', 'x + 5'));
    await window.entry(/^one, cpu3c-1-2 · undeployed changes/).waitFor();
    await window.run('Toolkit: Filter Endpoints');
    await window.choose('To be deployed');
    await window.entry(/^api, /).waitFor({ state: 'detached' });
    await window.entry(/^one, /).waitFor();
    await window.run('Toolkit: Filter Endpoints');
    await window.choose('All endpoints');
    await window.entry(/^api, /).waitFor();
  });

  it('refuses to deploy code with errors, and its button shows them', async () => {
    await window.replaceText('two.py', QUEUE('two').replace('cpu3c-1-2', 'cpu3c'));
    await window.entry(/^two, has errors/).waitFor();
    await window.run('Toolkit: Deploy');
    const refused = window.message(/"cpu3c" does not have the form/);
    await refused.getByRole('button', { name: 'Show Problems' }).click();
    await window.page.locator('.markers-panel').getByText('two.py').waitFor();
    await window.picture('problems');
  });

  it('shows the deployed endpoints of a project without any declaration', async () => {
    for (const name of ['one.py', 'two.py', 'service.py']) await window.replaceText(name, '');
    for (const name of ['one', 'api']) await undeclared(name).waitFor();
  });

  it('offers to start a language server that could not be started', async () => {
    await window.close();
    while (servers().length > 0) await sleep(20);
    const opening = code.open(project);
    await killServer();
    window = new Workbench(await opening);
    const failed = window.message('The language server of Serverless Endpoint Toolkit could not be started.');
    await failed.waitFor();
    assert.equal(await window.message(/./).count(), 1);
    await window.picture('server failed');
    await failed.getByRole('button', { name: 'Restart' }).click();
    while (servers().length === 0) await sleep(20);
  });

  it('shows in a new window what is deployed, and undeploys it', async () => {
    await window.showEndpoints();
    for (const name of ['one', 'api']) await undeclared(name).waitFor();
    await window.run('Toolkit: Undeploy');
    await window.page.getByText('Undeploy from shop/').waitFor();
    await window.page.locator('.quick-input-widget').getByRole('checkbox').first().click();
    await window.page.keyboard.press('Enter');
    await window.dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    for (const name of ['one', 'api']) await undeclared(name).waitFor({ state: 'detached' });
    await window.welcome.getByText('No endpoint was found in this folder').waitFor();
  });
});
