/** The request panel in a real VS Code with a real `toolkit dev`, used like a person would. */
import assert from 'node:assert/strict';

import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { FrameLocator, Page } from 'playwright-core';
import { DevSession } from '../dev/devSession.ts';
import { LEAST_CONTRAST } from '../setup/leastContrast.ts';
import { cleanEnvironment, workbench } from '../setup/toolkit.ts';

import { VSCode } from './VSCode.ts';
import { Workbench } from './Workbench.ts';

const ROOT = path.join(import.meta.dirname, '../..');

const WORKER = `from toolkit_sdk import Endpoint


@Endpoint(name="counter", cpu="cpu3c-1-2")
def count(text: str, times: int = 1):
    """Count what a text has."""
    print("counting", text)
    if text == "fail":
        raise ValueError("no words")
    return {"count": len(text.split()) * times}


@Endpoint(name="digester", cpu="cpu3c-1-2")
def digest(image: bytes, name: str = "x"):
    import hashlib

    return {"sha": hashlib.sha256(image).hexdigest(), "name": name}


@Endpoint(name="sleeper", cpu="cpu3c-1-2", workers=1)
def rest(seconds: int = 600):
    import time

    time.sleep(seconds)
`;

const ROUTES = `import time

from fastapi.responses import Response, StreamingResponse
from toolkit_sdk import Endpoint

api = Endpoint(name="rest", cpu="cpu3c-1-2")


@api.get("/items/{item_id}")
def item(item_id: int, color: str = "red", tags: list[str] = []):
    """One item."""
    return {"id": item_id, "color": color, "tags": tags}


@api.post("/items")
def add(name: str, price: float = 1.5):
    return {"name": name, "price": price}


@api.get("/lines")
def lines():
    def each():
        for at in range(1000):
            yield f"line {at}\\n"
            time.sleep(0.05)

    return StreamingResponse(each(), media_type="text/plain")


@api.get("/bytes")
def raw():
    return Response(bytes(range(256)), media_type="application/octet-stream")
`;

/** Space for code and panel. */
const SETTINGS = { 'workbench.secondarySideBar.defaultVisibility': 'hidden' };

const THEMES = {
  'Dark Modern': 'vscode-dark',
  'Light Modern': 'vscode-light',
  'Default High Contrast': 'vscode-high-contrast',
  'Default High Contrast Light': 'vscode-high-contrast-light',
} as const;

/** Lines of an accessibility tree that can be activated but have no name. */
const UNNAMED = /^\s*- (?:button|checkbox|combobox|link|listbox|option|searchbox|textbox)(?! ").*$/gm;

describe('the request panel', () => {
  const bench = workbench({ after });
  const home = path.join(bench.folder, 'vscode');
  let project: string;
  let dev: DevSession;
  let code: VSCode;
  let page: Page;

  before(async () => {
    mkdirSync(home);
    // Some URIs escape brackets, others do not.
    project = bench.project('shop (1)', {
      'pyproject.toml': '[tool.toolkit]\napp = "shop"\n',
      'worker.py': WORKER,
      'api.py': ROUTES,
    });
    const env = { ...cleanEnvironment(), TOOLKIT_HOME: bench.home };
    [dev, code] = await Promise.all([
      DevSession.start(project, bench.home),
      VSCode.start({ home, env, settings: SETTINGS }),
    ]);
    page = await code.open(project, { development: ROOT });
  });
  after(async () => {
    await code?.stop();
    if (dev?.child.exitCode === null) await dev.stop();
  });

  afterEach((test) => new Workbench(page).pictureOfFailure(test));

  const panel = (): FrameLocator => new Workbench(page).webview;
  const answer = () => panel().getByRole('region', { name: 'Response' });
  const editor = () => panel().getByRole('textbox', { name: /^(?:Input|Body), JSON$/ });
  const sendButton = () => panel().getByRole('button', { name: /^Send/ });
  const shownJson = async () => JSON.parse(await answer().getByRole('textbox').innerText()) as unknown;

  /** In the editor group of the code. */
  async function openFile(name: string): Promise<void> {
    await page.keyboard.press('Control+1');
    await new Workbench(page).openFile(name);
  }

  /** Clicks the n-th lens of the active editor that runs something, and waits until the panel shows its route. */
  async function clickLens(at: number, route: string): Promise<void> {
    const lens = page.locator('.editor-instance .codelens-decoration a', { hasText: 'Run' }).nth(at);
    await new Workbench(page).clickLens(lens, panel().getByRole('heading', { name: route }));
  }

  /** Replaces the text of the editor. Brackets that the editor closes itself are not typed. */
  async function type(text: string): Promise<void> {
    await editor().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
  }

  /** Next to the code the panel is narrow, so its routes are in a select box. */
  async function choose(name: string): Promise<void> {
    await panel().getByRole('combobox', { name: 'Route' }).selectOption({ label: name });
  }

  it('opens from a lens at its function, and shows the response', async () => {
    await openFile('worker.py');
    await clickLens(0, '/worker/count/runsync');
    await type('{"text": "one two", "times": 3');
    await page.keyboard.press('Control+Enter');
    await answer().getByText('COMPLETED').waitFor();
    assert.match(await answer().innerText(), /200[\s\S]*\d ms[\s\S]*cpu3c-1-2[\s\S]*worker w/);
    assert.deepEqual(await shownJson(), { count: 6 });
    await panel().getByRole('region', { name: 'Logs' }).getByText('counting one two').waitFor();
  });

  it('shows why a call failed, and leads to the line', async () => {
    await type('{"text": "fail"');
    await page.keyboard.press('Control+Enter');
    await answer().getByText('FAILED').waitFor();
    await answer().getByText('ValueError: no words').first().waitFor();
    const cursorAt = (place: string) => page.locator('.statusbar-item', { hasText: place }).waitFor();
    await answer().getByRole('button', { name: 'File "worker.py", line 9' }).click();
    await cursorAt('Ln 9, Col 1');
    await panel().getByRole('button', { name: 'worker.py:5' }).click();
    await cursorAt('Ln 5, Col 1');
  });

  it('shows a route from its lens in the same panel, with a body', async () => {
    await openFile('api.py');
    await clickLens(1, 'POST /api/items');
    assert.equal(await page.locator('iframe.webview').count(), 1);
    await type('{"name": "pen"');
    await sendButton().click();
    await answer().getByText('200').waitFor();
    assert.deepEqual(await shownJson(), { name: 'pen', price: 1.5 });
  });

  it('has fields for the parameters of path and query', async () => {
    await choose('GET /items/{item_id}');
    assert.equal(await editor().count(), 0);
    await panel().getByLabel('item_id').fill('seven');
    await panel().getByText('"item_id" must be an integer.').waitFor();
    await panel().getByLabel('item_id').fill('7');
    await panel().getByLabel('color').fill('grün & blau');
    await panel().getByLabel('tags').fill('a, b');
    await panel().getByLabel('tags').press('Control+Enter');
    await answer().getByText('200').waitFor();
    assert.deepEqual(await shownJson(), { id: 7, color: 'grün & blau', tags: ['a', 'b'] });
    assert.match(await answer().innerText(), /cpu3c-1-2/);
  });

  it('shows a stream as it arrives, and stops it', async () => {
    await choose('GET /lines');
    await sendButton().click();
    await answer()
      .getByText(/line 0\s+line 1\s+line 2/)
      .waitFor();
    await answer().getByText('Receiving').waitFor();
    await panel().getByRole('button', { name: 'Stop' }).click();
    await answer().getByText('Stopped', { exact: true }).waitFor();
  });

  it('cancels a job', async () => {
    await choose('RUN rest');
    await sendButton().click();
    await answer().getByText('Running').waitFor();
    await panel().getByRole('button', { name: 'Stop' }).click();
    await answer().getByText('CANCELLED', { exact: true }).waitFor();
  });

  it('sends a file as bytes, and shows bytes with their size', async () => {
    await choose('RUN digest');
    const cat = Buffer.from(Array.from({ length: 1_000 }, (_, at) => at % 256));
    await panel()
      .locator('input[type=file]')
      .setInputFiles({ name: 'cat.png', mimeType: 'image/png', buffer: cat });
    await panel().getByText('cat.png · 1.0 kB').waitFor();
    assert.equal(await editor().innerText(), '{\n  "name": "x"\n}');
    await sendButton().click();
    await answer().getByText('COMPLETED').waitFor();
    assert.deepEqual(await shownJson(), { sha: hash('sha256', cat), name: 'x' });
    await panel().getByRole('button', { name: 'Remove the file for image' }).click();
    await panel().getByText('The input is missing "image".').waitFor();

    await choose('GET /bytes');
    await sendButton().click();
    await answer().getByText('application/octet-stream · 256 B').waitFor();
    await answer().getByRole('button', { name: 'Save…' }).waitFor();
  });

  it('copies a request as a command and as programs, through the clipboard of VS Code', async () => {
    await choose('POST /items');
    const copied = async (form: string) => {
      await panel().getByRole('button', { name: form, exact: true }).click();
      await panel().getByText(`Copied ${form}`).waitFor();
      return await new Workbench(page).clipboard();
    };
    const { origin } = new URL(dev.url);
    assert.equal(
      await copied('curl'),
      `curl -X POST ${origin}/api/items \\\n  -H "Content-Type: application/json" \\\n  -d '{"name": "pen"}'`,
    );
    assert.match(await copied('Python'), /json=\{"name": "pen"\},/);
    assert.match(await copied('JavaScript'), /body: JSON.stringify\(\{"name": "pen"\}\),/);
  });

  it('offers earlier requests, with the keyboard', async () => {
    await choose('RUN count');
    for (const text of ['one', 'one two']) {
      await type(`{"text": "${text}"`);
      await sendButton().click();
      await answer().getByText('COMPLETED').waitFor();
    }
    const history = panel().getByRole('button', { name: 'History' });
    await history.press('Enter');
    const items = panel().getByRole('list', { name: 'Sent requests' }).getByRole('button');
    assert.match((await items.allInnerTexts()).join('\n'), /^\{"text": "one two"\}[\s\S]*\{"text": "one"\}/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal(await editor().innerText(), '{"text": "one"}');
    assert.ok(await history.evaluate((one) => one.matches(':focus')));
  });

  it('names everything that can be activated, and the keyboard reaches it', async () => {
    for (const route of ['RUN count', 'GET /items/{item_id}', 'RUN digest']) {
      await choose(route);
      const tree = await panel().locator('body').ariaSnapshot();
      assert.deepEqual(tree.match(UNNAMED), null, tree);
      assert.match(tree, /button "Send"/);
      await panel().getByRole('combobox', { name: 'Route' }).focus();
      const body = panel().locator('body');
      const all = (await body.evaluate(FOCUSABLE)) as number;
      const reached = new Set<string>();
      for (let at = 0; at < all; at += 1) {
        reached.add((await body.evaluate(FOCUSED)) as string);
        await page.keyboard.press('Tab');
      }
      assert.equal(reached.size, all, [...reached].join('\n'));
    }
  });

  for (const [theme, kind] of Object.entries(THEMES))
    it(`is readable in the theme ${theme}`, async () => {
      await choose('RUN count');
      code.configure({ ...SETTINGS, 'workbench.colorTheme': theme });
      await panel().locator(`body[data-vscode-theme-kind="${kind}"]`).waitFor();
      for (const [sent, state] of [
        ['fail', 'FAILED'],
        ['one', 'COMPLETED'],
      ]) {
        await type(`{"text": "${sent}"`);
        await sendButton().click();
        await answer().getByText(state!).waitFor();
        const least = await panel().locator('body').evaluate(LEAST_CONTRAST);
        const { contrast, text } = least as { contrast: number; text: string };
        assert.ok(contrast >= 4.5, `"${text}" has a contrast of ${contrast}`);
      }
      await new Workbench(page).picture(`request panel, ${theme}`);
    });

  it('allows only its own script and style, and has no network access', async () => {
    const policy = await panel()
      .locator('meta[http-equiv="Content-Security-Policy"]')
      .getAttribute('content');
    assert.match(
      policy!,
      /^default-src 'none'; script-src [^;]+; style-src [^;]+; img-src [^;]+; media-src [^;]+$/,
    );
    assert.doesNotMatch(policy!, /unsafe|nonce/);
    const violated = await panel()
      .locator('body')
      .evaluate(`new Promise((resolve) => {
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
      fetch(${JSON.stringify(dev.url)}).then(() => resolve(null), () => {});
    })`);
    assert.equal(violated, 'connect-src');
  });

  it('is restored with the typed input when the window is opened again', async () => {
    await choose('POST /items');
    await type('{"name": "kept"');
    page = await code.reopen(page, '"choice":{"key":"POST /api/items"}', '{"name": "kept"}');
    await page.locator('iframe.webview').waitFor();
    await panel().getByRole('heading', { name: '/api/items' }).waitFor();
    assert.equal(await editor().innerText(), '{"name": "kept"}');
    await sendButton().click();
    await answer().getByText('200').waitFor();
  });

  it('offers requests from before a restart, in a panel that is opened from the palette', async () => {
    await page.locator('.tab', { hasText: 'API Explorer: shop' }).click({ button: 'middle' });
    await page.locator('iframe.webview').waitFor({ state: 'detached' });
    await new Workbench(page).run('Toolkit: Run');
    await choose('RUN count');
    await panel().getByRole('button', { name: 'History' }).click();
    const items = panel().getByRole('list', { name: 'Sent requests' }).getByRole('button');
    await items.filter({ hasText: '{"text": "one two"}' }).click();
    assert.equal(await editor().innerText(), '{"text": "one two"}');
    await panel().getByRole('button', { name: 'History' }).click();
    await panel().getByRole('button', { name: 'Clear History' }).click();
    await panel().getByRole('button', { name: 'History' }).waitFor({ state: 'detached' });
  });

  it('reports a stopped dev server, and connects when it runs again', async () => {
    await dev.stop();
    await panel().getByText('The dev server is stopped.').waitFor();
    await panel().getByRole('button', { name: 'Start Dev Server' }).waitFor();
    await new Workbench(page).picture('request panel, dev server stopped');
    await sendButton().click();
    await answer().getByText('The dev server does not respond: it is stopped.').waitFor();
    dev = await DevSession.start(project, bench.home);
    await panel().getByText('The dev server is stopped.').waitFor({ state: 'detached' });
    await sendButton().click();
    await answer().getByText('COMPLETED').waitFor();
  });

  it('calls a dev server that is open to the network, and keeps its token out of the page', async () => {
    await dev.stop();
    await panel().getByText('The dev server is stopped.').waitFor();
    await panel().locator('body').evaluate(HEAR);
    dev = await DevSession.start(project, bench.home, ['--host', '0.0.0.0']);
    await panel().getByText('The dev server is stopped.').waitFor({ state: 'detached' });
    await sendButton().click();
    await answer().getByText('COMPLETED').waitFor();
    await panel().getByRole('region', { name: 'Logs' }).getByText('counting').first().waitFor();
    await panel().getByRole('button', { name: 'curl', exact: true }).click();
    await panel().getByText('Copied curl').waitFor();
    const copied = await new Workbench(page).clipboard();
    assert.match(copied, /-H "Authorization: Bearer \$TOOLKIT_DEV_TOKEN"/);
    const { token } = await dev.event('ready');
    const pages = await Promise.all(page.frames().map((frame) => frame.content()));
    const heard = (await panel().locator('body').evaluate('JSON.stringify(heard)')) as string;
    assert.match(heard, /"connected"/);
    assert.ok(![...pages, heard, copied].some((text) => text.includes(token!)));
  });

  it('starts the dev server on request', async () => {
    await dev.stop();
    await panel().getByRole('button', { name: 'Start Dev Server' }).click();
    await panel().locator('.banner').waitFor({ state: 'detached' });
    await sendButton().click();
    await answer().getByText('COMPLETED').waitFor();
    await new Workbench(page).run('Toolkit: Stop Dev Server');
    await panel().getByRole('button', { name: 'Start Dev Server' }).waitFor();
  });
});

/** Stores all messages that a page gets from now on. */
const HEAR = `addEventListener('message', ({ data }) => (globalThis.heard ??= []).push(data))`;

/** How many elements of a page can be reached with the Tab key. */
const FOCUSABLE = `[...document.querySelectorAll('a[href], button, input, select, [tabindex="0"], .editor')]
  .filter((one) => one.checkVisibility()).length`;

/** Which of them has the focus. */
const FOCUSED = `(() => {
  const all = [...document.querySelectorAll('*')];
  return all.indexOf(document.activeElement) + ' ' + document.activeElement.outerHTML.slice(0, 80);
})()`;
