/** The API explorer at `/docs` of the real `toolkit dev`, used in Chromium like a person would. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../setup/browser.ts';
import { LEAST_CONTRAST } from '../setup/leastContrast.ts';
import { workbench } from '../setup/toolkit.ts';
import { DevSession } from './devSession.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const PYTHON = path.join(ROOT, '.venv/bin/python');

const QUEUE = `from typing import Literal

from toolkit_sdk import Endpoint


@Endpoint(name="counter", cpu="cpu3c-1-2")
def count(text: str, times: int = 1, unit: Literal["words", "letters"] = "words"):
    """Count what a text has."""
    print("counting", text)
    if text == "fail":
        raise ValueError("no words")
    return {"count": len(text.split()) * times, "unit": unit, "big": 2**60 + 1}


@Endpoint(name="painter", cpu="cpu3c-1-2")
def paint(numbers: int = 0):
    return {"picture": "iVBORw0KGgo" + "A" * 80, "numbers": list(range(numbers))}


@Endpoint(name="measurer", cpu="cpu3c-1-2")
def measure(image: bytes):
    return {"sent": image, "backwards": image[::-1]}


@Endpoint(name="sleeper", cpu="cpu3c-1-2", workers=1)
def rest(seconds: int = 600):
    import time

    time.sleep(seconds)
`;

const ROUTES = `import time

from fastapi.responses import StreamingResponse
from toolkit_sdk import Endpoint

api = Endpoint(name="rest", cpu="cpu3c-1-2")


@api.get("/items/{item_id}")
def item(item_id: int, color: str = "red", big: bool = False, tags: list[str] = []):
    """One item."""
    return {"id": item_id, "color": color, "big": big, "tags": tags}


@api.put("/items/{item_id}")
def change(item_id: int, name: str):
    return {"id": item_id, "name": name}


@api.get("/lines")
def lines():
    def each():
        for at in range(1000):
            yield f"line {at}\\n"
            time.sleep(0.05)

    return StreamingResponse(each(), media_type="text/plain")
`;

describe('the API explorer', () => {
  const bench = workbench({ after });
  let dev: DevSession;
  let browser: Browser;

  before(async () => {
    browser = await openBrowser();
    const files = { 'pyproject.toml': '', 'worker.py': QUEUE, 'deep/rest.py': ROUTES };
    dev = await DevSession.start(bench.project('shop', files), bench.home);
  });
  after(async () => {
    await browser?.close();
    await dev?.stop();
  });

  /** A page of a new browser context, which requests nothing from other servers and raises no errors. */
  async function withPage(
    use: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(15_000);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).port !== new URL(dev.url).port)
        errors.push(request.url());
    });
    await page.goto(`${dev.url}/docs`);
    await page.locator('.explorer li').first().waitFor({ state: 'attached' });
    await use(page);
    await context.close();
    assert.deepEqual(errors, []);
  }

  async function choose(page: Page, name: string): Promise<void> {
    await page.getByRole('navigation').getByRole('link', { name }).click();
  }

  /** Replaces the text of the editor. Brackets that the editor closes itself are not typed. */
  async function type(page: Page, text: string): Promise<void> {
    await page.getByRole('textbox', { name: 'JSON' }).first().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
  }

  const answer = (page: Page) => page.getByRole('region', { name: 'Response' });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`runs a queue-based function and shows its failure, ${colorScheme}`, async () => {
      await withPage(
        async (page) => {
          await choose(page, 'RUN count');
          await page.getByText('Count what a text has.').waitFor();
          const from = dev.events.length;
          await type(page, '{"text": "one two", "times": 3');
          await page.keyboard.press('Control+Enter');
          await answer(page).getByText('COMPLETED').waitFor();
          const shown = await answer(page).innerText();
          assert.match(shown, /200[\s\S]*\d ms[\s\S]*cpu3c-1-2[\s\S]*worker w/);
          await answer(page).getByText('1152921504606846977').waitFor();
          assert.match(await answer(page).getByRole('textbox').innerText(), /"count": 6,/);
          await page.getByRole('region', { name: 'Logs' }).getByText('counting one two').waitFor();
          const { contrast, text } = await page.evaluate<{ contrast: number; text: string }>(LEAST_CONTRAST);
          assert.ok(contrast >= 4.5, `"${text}" has a contrast of ${contrast}`);

          await type(page, '{"text": "fail"');
          await page.getByRole('button', { name: 'Send' }).click();
          await answer(page).getByText('FAILED').waitFor();
          await answer(page).getByText('ValueError: no words').first().waitFor();
          assert.match(
            await answer(page).getByLabel('Traceback').innerText(),
            /File "worker\.py", line 11, in count/,
          );
          const requests = dev.events.slice(from).filter((one) => one.event === 'request');
          assert.equal(requests.filter(({ path }) => path === '/worker/count/runsync').length, 2);
          const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
          assert.equal(background, colorScheme === 'dark' ? 'rgb(22, 24, 28)' : 'rgb(250, 250, 249)');
        },
        { colorScheme },
      );
    });

  it('calls a route with parameters of path, query and body, and reports the wrong ones', async () => {
    await withPage(async (page) => {
      await choose(page, 'GET /items/{item_id}');
      await page.getByLabel('item_id').fill('seven');
      await page.getByText('"item_id" must be an integer.').waitFor();
      await page.getByRole('button', { name: 'Send' }).click();
      await answer(page).getByText('422').waitFor();
      await page.getByLabel('item_id').fill('7');
      await page.getByLabel('color').fill('grün & blau');
      await page.getByLabel('big').selectOption('true');
      await page.getByLabel('tags').fill('a, b');
      await page.getByLabel('tags').press('Control+Enter');
      await answer(page).getByText('200').waitFor();
      assert.deepEqual(JSON.parse(await answer(page).getByRole('textbox').innerText()), {
        id: 7,
        color: 'grün & blau',
        big: true,
        tags: ['a', 'b'],
      });

      await choose(page, 'PUT /items/{item_id}');
      await page.getByLabel('item_id').fill('8');
      await type(page, '{"name": "eight"');
      await page.getByRole('button', { name: 'Send' }).click();
      await answer(page).getByText('200').waitFor();
      assert.match(await answer(page).getByRole('textbox').innerText(), /"name": "eight"/);
    });
  });

  it('completes and checks the input by the signature', async () => {
    await withPage(async (page) => {
      await choose(page, 'RUN count');
      const from = dev.events.length;
      await type(page, '{"text": 5, "tims": 1');
      const problems = page.getByRole('status', { name: 'Problems' });
      await problems.getByText('"text" must be a string.').waitFor();
      await problems.getByText('"tims" is not expected here.').waitFor();
      await type(page, '{"text": "a",');
      await problems.getByText('Expected a name in double quotes.').waitFor();
      // Invalid JSON is not sent.
      await page.keyboard.press('Control+Enter');
      await page.keyboard.type(' "un');
      await page.getByRole('option', { name: /"unit"/ }).waitFor();
      // Completion ignores keys at first, so that it does not disturb fast typing.
      await page.waitForTimeout(150);
      await page.keyboard.press('Enter');
      const editor = page.getByRole('textbox', { name: 'Input, JSON' });
      assert.equal(await editor.innerText(), '{"text": "a", "unit": "words"}');
      await type(page, '{"unit": "');
      // While it was typed, the list showed names.
      await page
        .getByRole('listbox')
        .getByText(/^"words"\s*default\s*"letters"$/)
        .waitFor();
      assert.deepEqual(
        dev.events.slice(from).filter(({ event }) => event === 'request'),
        [],
      );
    });
  });

  it('copies a request as programs that send the same', async () => {
    await withPage(
      async (page) => {
        await choose(page, 'RUN count');
        await type(page, `{"text": "it's \\"so\\" ok", "times": 2`);
        const copy = async (form: string) => {
          await page.getByRole('button', { name: form, exact: true }).click();
          await page.getByText(`Copied ${form}`).waitFor();
          return await page.evaluate<string>('navigator.clipboard.readText()');
        };
        const run = (file: string, args: string[]) => execFileSync(file, args, { encoding: 'utf8' });
        assert.match(run('sh', ['-c', `${await copy('curl')} --silent`]), /"count": ?6/);
        const script = await copy('JavaScript');
        assert.match(run(process.execPath, ['--input-type=module', '-e', script]), /"count": ?6/);
        const program = await copy('Python');
        // The request that the program would send, without the package that sends it.
        const sent = `import sys, types\nsys.modules["requests"] = types.SimpleNamespace(request=lambda *a, **k: print(a, k) or types.SimpleNamespace(status_code=0, text=""))\n`;
        assert.match(
          run(PYTHON, ['-c', sent + program]),
          /\('POST', '.*\/worker\/count\/runsync'\) \{'json': \{'input': \{'text': 'it\\'s "so" ok', 'times': 2\}\}\}/,
        );
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
  });

  it('can be used with the keyboard only, with a visible focus', async () => {
    await withPage(async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('count');
      const links = page.getByRole('navigation').locator('li a');
      assert.equal(await links.count(), 1);
      await page.keyboard.press('ArrowDown');
      assert.equal(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'solid');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: '/worker/count/runsync' }).waitFor();
      const editor = page.getByRole('textbox', { name: 'Input, JSON' });
      await editor.waitFor();
      // Past the link to the OpenAPI document.
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      assert.ok(await editor.evaluate((one) => one.matches(':focus')));
      // Tab leaves the editor.
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Send');
      // Wherever the focus is.
      await page.evaluate('document.activeElement.blur()');
      await page.keyboard.press('Control+Enter');
      await answer(page).getByText('COMPLETED').waitFor();
    });
  });

  it('causes no error in the terminal when it is closed', async () => {
    await withPage(async () => {});
    // The end of the page's event stream is noticed before the next response.
    await fetch(dev.url);
    assert.doesNotMatch(dev.stderr, /Premature close|Error \[/);
  });

  it('shows pictures, collapses long responses, and keeps typed input', async () => {
    await withPage(async (page) => {
      await choose(page, 'RUN paint');
      await type(page, '{"numbers": 60000');
      await page.keyboard.press('Control+Enter');
      await answer(page)
        .getByRole('button', { name: /Show all of \d+(\.\d)? kB/ })
        .click();
      await answer(page).getByText('picture · image/png').waitFor();
      await page.reload();
      const editor = page.getByRole('textbox', { name: 'Input, JSON' });
      assert.equal(await editor.innerText(), '{"numbers": 60000}');
      await page.getByRole('button', { name: 'Reset' }).click();
      assert.match(await editor.innerText(), /"numbers": 0/);
    });
  });

  it('offers earlier requests, and deletes them on demand', async () => {
    await withPage(async (page) => {
      await choose(page, 'RUN count');
      assert.equal(await page.getByRole('button', { name: 'History' }).count(), 0);
      for (const text of ['one', 'two', 'one']) {
        await type(page, `{"text": "${text}"`);
        await page.getByRole('button', { name: 'Send' }).click();
        await answer(page).getByText('COMPLETED').waitFor();
      }
      await page.reload();
      const history = page.getByRole('button', { name: 'History', exact: true });
      await history.press('Enter');
      const sent = page.getByRole('list', { name: 'Sent requests' }).getByRole('button');
      assert.deepEqual(
        (await sent.allInnerTexts()).map((one) => one.split('\n')[0]),
        ['{"text": "one"}', '{"text": "two"}'],
      );
      await page.keyboard.press('Escape');
      assert.ok(await history.evaluate((one) => one.matches(':focus')));
      await history.press('Enter');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      assert.equal(await page.getByRole('textbox', { name: 'Input, JSON' }).innerText(), '{"text": "two"}');
      await history.press('Enter');
      await page.getByRole('button', { name: 'Clear History' }).click();
      await history.waitFor({ state: 'detached' });
    });
  });

  it('sends a file as bytes', async () => {
    await withPage(async (page) => {
      await choose(page, 'RUN measure');
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'a.bin', mimeType: 'application/octet-stream', buffer: Buffer.from('abc') });
      await page.getByText('a.bin · 3 B').waitFor();
      await page.keyboard.press('Control+Enter');
      await answer(page).getByText('COMPLETED').waitFor();
      assert.match(
        await answer(page).getByRole('textbox').innerText(),
        /"sent": "YWJj",\s+"backwards": "Y2Jh"/,
      );
    });
  });

  it('lists its routes in a select box when the window is narrow', async () => {
    await withPage(
      async (page) => {
        await page.getByRole('combobox', { name: 'Route' }).selectOption({ label: 'RUN paint' });
        await page.getByRole('heading', { name: '/worker/paint/runsync' }).waitFor();
        assert.match(page.url(), /#POST%20%2Fworker%2Fpaint%2Frunsync$/);
      },
      { viewport: { width: 480, height: 720 } },
    );
  });

  it('shows a stream as it arrives, and stops it', async () => {
    await withPage(async (page) => {
      await choose(page, 'GET /lines');
      await page.getByRole('button', { name: 'Send' }).click();
      await answer(page)
        .getByText(/line 0\s+line 1\s+line 2/)
        .waitFor();
      await answer(page).getByText('Receiving').waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await answer(page).getByText('Stopped', { exact: true }).waitFor();
    });
  });

  it("shows a job's progress, and cancels it", async () => {
    await withPage(async (page) => {
      await choose(page, 'RUN rest');
      const from = dev.events.length;
      const stop = async (stage: string) => {
        await page.getByRole('button', { name: 'Send' }).click();
        await answer(page).getByText(stage).waitFor();
        await page.getByRole('button', { name: 'Stop' }).click();
        await answer(page).getByText('CANCELLED', { exact: true }).waitFor();
        const message = await answer(page)
          .getByText(/The job .* was cancelled\./)
          .innerText();
        const job = /The job (.*) was/.exec(message)![1]!;
        const { text } = await dev.request('GET', `/worker/rest/status/${job}`);
        assert.equal((JSON.parse(text) as { status: string }).status, 'CANCELLED');
      };
      await stop('Running');
      // Before the page knows the job's id.
      await stop('Waiting');
      const cancelled = dev.events
        .slice(from)
        .filter((one) => one.event === 'request' && /\/rest\/cancel\//.test(one.path));
      assert.equal(cancelled.length, 2);
    });
  });

  it('stops a request before a job exists', async () => {
    const gate = path.join(bench.folder, 'gate');
    const slow = `import os, time\nwhile not os.path.exists(${JSON.stringify(gate)}):\n    time.sleep(0.01)\n`;
    bench.project('shop', {
      'late.py': `${slow}\nfrom toolkit_sdk import Endpoint\n\nCALLS = []\n\n\n@Endpoint(name="late", cpu="cpu3c-1-2", workers=1)\ndef late():\n    CALLS.append(1)\n    return len(CALLS)\n`,
    });
    await withPage(async (page) => {
      await choose(page, 'RUN late');
      await page.getByRole('button', { name: 'Send' }).click();
      await answer(page).getByText('Starting a worker').waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await answer(page).getByText('Stopped before the dev server returned a job.').waitFor();
      writeFileSync(gate, '');
      assert.equal(await dev.run('/late', {}), 1);
    });
    rmSync(path.join(bench.folder, 'shop/late.py'));
  });

  it('follows saves, and shows which are not live', async () => {
    await withPage(async (page) => {
      await choose(page, 'RUN count');
      bench.project('shop', { 'worker.py': QUEUE.replace('times: int', 'often: int') });
      await page.getByRole('textbox', { name: 'Input, JSON' }).getByText('"often"').waitFor();
      bench.project('shop', { 'worker.py': `${QUEUE}\ndef broken(:\n` });
      await page.getByText('The last save is not live.').waitFor();
      bench.project('shop', { 'worker.py': QUEUE.replace('def count', 'def counted') });
      await page.getByText('This route no longer exists.').waitFor();
      await choose(page, 'RUN counted');
      await page.getByText('The last save is not live.').waitFor({ state: 'detached' });
      bench.project('shop', { 'worker.py': QUEUE });
      await page.getByRole('link', { name: 'RUN count', exact: false }).waitFor();
    });
  });

  it('allows only its own scripts and styles, and is small', async () => {
    const { headers, text } = await dev.request('GET', '/docs');
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /default-src 'none'.*script-src 'self'; style-src 'self'/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.doesNotMatch(text, /<script(?![^>]* src=)|<style| style=| on\w+=/);
    for (const page of ['/docs', '/_toolkit/project', '/_toolkit/events'])
      assert.equal((await dev.request('GET', page, undefined, { host: 'evil.example' })).status, 403);
    assert.equal((await dev.request('GET', '/_toolkit/page/..%2fcli.js')).status, 404);
    const zipped = gzipSync(readFileSync(path.join(ROOT, 'dist/media/page.js')), { level: 9 });
    assert.ok(zipped.length <= 150_000, `${zipped.length} bytes`);
  });

  it('moves the token from the address into a cookie when other machines can connect', async () => {
    const own = await DevSession.start(bench.project('open', { 'worker.py': QUEUE }), bench.home, [
      '--host',
      '0.0.0.0',
    ]);
    const { token } = await own.event('ready');
    const url = `http://127.0.0.1:${new URL(own.url).port}`;
    for (const target of ['/docs', '/_toolkit/page/page.js', '/_toolkit/project', '/_toolkit/events'])
      assert.equal((await fetch(url + target)).status, 401, target);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${url}/docs`);
    await page.getByLabel(/Enter the token/).fill('wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('The token does not match this dev server.').waitFor();
    await page.goto('about:blank');
    await page.goto(`${url}/docs#token=${token}`);
    await page.getByRole('navigation').getByRole('link', { name: 'RUN count' }).waitFor();
    assert.doesNotMatch(page.url(), /token/);
    const [cookie] = await context.cookies();
    assert.deepEqual([cookie!.value, cookie!.httpOnly, cookie!.sameSite], [token, true, 'Strict']);
    await context.close();
    await own.stop();
  });
});
