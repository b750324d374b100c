/**
 * A window of VS Code as a user works with it: the command palette, the Endpoints view, editors, messages.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { VSCode } from './VSCode.ts';

/** Where the tests put screenshots; ignored by git. */
const PICTURES = path.join(import.meta.dirname, '../../.cache/pictures');

/** The name of a theme in the settings, and the class of a window that uses it. */
const THEMES = {
  light: { setting: 'Default Light Modern', shown: 'vs' },
  dark: { setting: 'Default Dark Modern', shown: 'vs-dark' },
  contrast: { setting: 'Default High Contrast', shown: 'hc-black' },
} as const;

export class Workbench {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Runs a command of the palette by its full label. */
  async run(label: string): Promise<void> {
    // The open list does not add commands of an extension that VS Code loads later, and it closes when
    // something takes the focus while a window opens.
    for (let tries = 0; tries < 10; tries += 1) {
      await this.#palette(label);
      const isChosen = await this.#item(label)
        .click({ timeout: 2_000 })
        .then(
          () => true,
          () => false,
        );
      if (isChosen) return;
      await this.page.keyboard.press('Escape');
    }
    throw new Error(`The palette does not offer "${label}".`);
  }

  /**
   * Waits until the palette offers exactly these commands of the extension, given without their category.
   * They depend on trust and on projects, which VS Code learns at different moments after a window has
   * opened.
   *
   * @throws When the palette still offers others after 30 s.
   */
  async expectCommands(expected: readonly string[]): Promise<void> {
    const sorted = expected.toSorted();
    const deadline = Date.now() + 30_000;
    let offered = await this.#toolkitCommands();
    while (!isDeepStrictEqual(offered, sorted) && Date.now() < deadline) {
      await sleep(500);
      offered = await this.#toolkitCommands();
    }
    assert.deepEqual(offered, sorted);
  }

  /** The extension's commands in the palette now, sorted, without their category. */
  async #toolkitCommands(): Promise<string[]> {
    const size = this.page.viewportSize()!;
    // The list draws only the rows that fit.
    await this.page.setViewportSize({ ...size, height: 2_400 });
    await this.#palette('Toolkit: ');
    const rows = this.page.locator('.quick-input-list .monaco-list-row', { hasText: /^Toolkit: / });
    await rows.first().waitFor();
    const labels = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-label') ?? ''));
    await this.page.keyboard.press('Escape');
    await this.page.setViewportSize(size);
    return labels.map((label) => /^Toolkit: ([^,]*)/.exec(label)?.[1] ?? label).toSorted();
  }

  /** Chooses an item of the open list by its label without icons. */
  async choose(label: string): Promise<void> {
    await this.#item(label).click();
  }

  /** Types into the input that prompts for something, and presses Enter until it accepts or refuses the text. */
  async answer(prompt: string, text: string): Promise<void> {
    const shown = this.page.locator('.quick-input-widget').getByText(prompt);
    const input = this.page.locator('.quick-input-widget input').first();
    await shown.waitFor();
    await input.fill(text);
    // An input that is still opening does not react.
    for (let tries = 0; tries < 10; tries += 1) {
      await input.press('Enter');
      const isTaken = await shown.waitFor({ state: 'hidden', timeout: 3_000 }).then(
        () => true,
        () => false,
      );
      if (isTaken) return;
    }
    throw new Error(`"${prompt}" does not accept "${text}".`);
  }

  /** Enters a folder in VS Code's own dialog. */
  async chooseFolder(folder: string, button: string): Promise<void> {
    const dialog = this.page.locator('.quick-input-widget');
    const input = dialog.locator('input').first();
    // It starts in the home folder, and accepts nothing before that is listed.
    await dialog.getByRole('option', { name: /^\.\./ }).waitFor();
    await input.fill(folder);
    await this.page.waitForFunction(
      `document.querySelector('.quick-input-widget input').value === ${JSON.stringify(folder)}`,
    );
    // VS Code ignores the button while it still reads the folder.
    for (let tries = 0; tries < 10 && (await dialog.isVisible()); tries += 1) {
      await dialog
        .getByRole('button', { name: button })
        .click({ timeout: 2_000 })
        .catch(() => {});
      await dialog.waitFor({ state: 'hidden', timeout: 2_000 }).catch(() => {});
    }
  }

  /** Shows the Endpoints view. */
  async showEndpoints(): Promise<void> {
    const title = this.page.locator('.part.sidebar .title-label', { hasText: 'Endpoints' });
    // The tab of a visible view hides it, and a window that is opening can show it by itself.
    for (let tries = 0; tries < 10 && !(await title.isVisible()); tries += 1) {
      await this.page
        .getByRole('tab', { name: /^Endpoints/ })
        .first()
        .click();
      await title.waitFor({ timeout: 2_000 }).catch(() => {});
    }
  }

  /** An entry of the Endpoints view whose accessible name contains a text. */
  entry(name: string | RegExp): Locator {
    return this.page.locator('.pane-body').getByRole('treeitem', { name });
  }

  /** The texts of the visible welcome view. */
  get welcome(): Locator {
    return this.page.locator('.welcome-view-content');
  }

  /** A modal dialog. */
  get dialog(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  message(text: string | RegExp): Locator {
    return this.page.locator('.notification-toast').filter({ hasText: text });
  }

  /** Waits until VS Code shows messages again: it hides the rest of more than three within 800 ms. */
  async awaitMessages(): Promise<void> {
    await sleep(1_000);
  }

  /** Clicks a button of a message. */
  async press(text: string | RegExp, button: string): Promise<void> {
    await this.message(text).getByRole('button', { name: button, exact: true }).click();
  }

  /** The extension's item in the status bar. */
  get status(): Locator {
    return this.page.locator('.statusbar-item[id$="toolkit.status"]');
  }

  /** The items of the open list that contain a text. */
  items(text: string | RegExp): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row', { hasText: text });
  }

  /** Opens a file of the folder by its name. */
  async openFile(name: string): Promise<void> {
    await this.#quickInput('Control+P', name);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
    // Not its tab, which is there at once if the file was opened before, while the editor still shows another file.
    await this.page
      .locator(`.editor-instance [data-uri$="/${name.split('/').at(-1)}"]`)
      .first()
      .waitFor();
  }

  /** Replaces the whole text of a file of the folder in its editor, and saves it. */
  async replaceText(name: string, text: string): Promise<void> {
    await this.openFile(name);
    // A busy window can lose keys.
    let isEmptied = false;
    for (let tries = 0; tries < 5 && !isEmptied; tries += 1) {
      await this.goTo(1);
      await this.page.keyboard.press('Control+A');
      await this.page.keyboard.press('Delete');
      isEmptied = await this.#isEmpty(true);
    }
    assert.ok(isEmptied, `The text of ${name} cannot be deleted.`);
    // VS Code would complete and indent typed text.
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    if (text !== '') {
      await this.page.keyboard.press('Control+V');
      assert.ok(await this.#isEmpty(false), `Nothing was pasted into ${name}.`);
    }
    await this.page.keyboard.press('Control+S');
    await this.page.locator('.tab.active:not(.dirty)').first().waitFor();
  }

  /** Puts the cursor into a line and column, both from 1. */
  async goTo(line: number, column = 1): Promise<void> {
    const input = this.page.locator('.quick-input-widget');
    await this.#quickInput('Control+G', `:${line}:${column}`);
    // A busy window can lose the key, and what follows would be typed into the list.
    for (let tries = 0; tries < 20; tries += 1) {
      await this.page.keyboard.press('Enter');
      const isClosed = await input.waitFor({ state: 'hidden', timeout: 1_000 }).then(
        () => true,
        () => false,
      );
      if (isClosed) return;
    }
    throw new Error('VS Code does not close the list of lines.');
  }

  lens(title: string | RegExp): Locator {
    return this.page.locator('.codelens-decoration a', { hasText: title });
  }

  /**
   * Clicks a lens, and waits for what it opens. A window that is starting on a busy machine sometimes keeps a lens whose
   * command VS Code has already forgotten ("Actual command not found"), until its file is opened again.
   */
  async clickLens(lens: Locator, opened: Locator): Promise<void> {
    for (let tries = 0; tries < 3; tries += 1) {
      await lens.click();
      const isOpen = await opened.waitFor({ timeout: 20_000 }).then(
        () => true,
        () => false,
      );
      if (isOpen) return;
      const file = await this.page.locator('.tab.active .label-name').first().innerText();
      await this.run('View: Close Editor');
      await this.openFile(file);
    }
    throw new Error('Nothing was opened by three clicks on a lens.');
  }

  /** The inside of the extension's last webview. A walkthrough is a webview of VS Code. */
  get webview(): FrameLocator {
    return this.page
      .frameLocator('iframe.webview[src*="extensionId=serverless-endpoint-toolkit"]')
      .last()
      .frameLocator('iframe');
  }

  /** Takes a screenshot of the window; for the documentation one in each theme. */
  async picture(name: string, code?: VSCode): Promise<void> {
    const folder = process.env['PICTURES'];
    if (!folder || !code) return this.#screenshot(path.join(PICTURES, `${name}.png`));
    for (const [theme, { setting, shown }] of Object.entries(THEMES)) {
      code.configure({ 'workbench.colorTheme': setting });
      await this.page.locator(`.monaco-workbench.${shown}`).waitFor();
      await this.#screenshot(path.join(folder, `${name}-${theme}.png`));
    }
    code.configure({});
    await this.page.locator('.monaco-workbench.vs').waitFor();
  }

  async #screenshot(file: string): Promise<void> {
    mkdirSync(path.dirname(file), { recursive: true });
    // Screenshots would catch animations halfway.
    await this.page.screenshot({ path: file, animations: 'disabled' });
  }

  /** A screenshot of a failed test. */
  async pictureOfFailure(test: object): Promise<void> {
    const { passed, name } = test as { passed: boolean; name: string };
    if (!passed) await this.picture(`failed ${name.replaceAll('/', ' ')}`);
  }

  async clipboard(): Promise<string> {
    return this.page.evaluate('navigator.clipboard.readText()');
  }

  /** Closes the window, and its extension host. */
  async close(): Promise<void> {
    const closed = this.page.waitForEvent('close');
    await this.page.close({ runBeforeUnload: true });
    await closed;
  }

  /** Waits until the visible editor has no text, or has some. Returns false after ten seconds. */
  #isEmpty(expected: boolean): Promise<boolean> {
    const text = `document.querySelector('.editor-instance .view-lines').textContent.trim()`;
    return this.page.waitForFunction(`(${text} === '') === ${expected}`, null, { timeout: 10_000 }).then(
      () => true,
      () => false,
    );
  }

  #item(label: string): Locator {
    // Besides the label, an item's accessible name contains its icon and its description.
    const name = new RegExp(`^([\\w-]+\\s+)?${label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(,|$)`);
    return this.page.locator('.quick-input-list').getByRole('option', { name }).first();
  }

  async #palette(text: string): Promise<void> {
    await this.#quickInput('F1', `>${text}`);
  }

  /**
   * A window that has just opened does not react to the first keys, and a list that closes accepts no text.
   */
  async #quickInput(key: string, text: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget input').first();
    for (let tries = 0; tries < 20; tries += 1) {
      await this.page.keyboard.press(key);
      const isFilled = await input.fill(text, { timeout: 1_000 }).then(
        () => true,
        () => false,
      );
      if (isFilled) return;
    }
    throw new Error(`VS Code does not react to ${key}.`);
  }
}
