/** A window of VS Code as a user works with it: the palette, the Endpoints view, editors, messages. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';

/** Where the tests leave what they have seen; git ignores it. */
const PICTURES = path.join(import.meta.dirname, '../../.cache/pictures');

export class Workbench {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Runs a command of the palette by its whole label. */
  async run(label: string): Promise<void> {
    await this.#palette(label);
    await this.choose(label);
  }

  /** Labels that the palette offers for a text, in its order. */
  async commands(text: string): Promise<string[]> {
    await this.#palette(text);
    const rows = this.page.locator('.quick-input-list .monaco-list-row');
    await rows.first().waitFor();
    const labels = (await rows.locator('.quick-input-list-row .label-name').first().isVisible())
      ? await rows.locator('.quick-input-list-row .label-name').allInnerTexts()
      : await rows.allInnerTexts();
    await this.page.keyboard.press('Escape');
    return labels.map((label) => label.trim());
  }

  /** Chooses an item of the open list: by its whole label, or the beginning of it. */
  async choose(label: string): Promise<void> {
    const rows = this.page.locator('.quick-input-list .monaco-list-row');
    const exact = rows.filter({ has: this.page.getByText(label, { exact: true }) });
    await rows.filter({ hasText: label }).first().waitFor();
    await ((await exact.count()) > 0 ? exact : rows.filter({ hasText: label })).first().click();
  }

  /** Types into the open input and presses Enter. */
  async answer(text: string): Promise<void> {
    await this.page.locator('.quick-input-widget input').first().fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Shows the Endpoints view. */
  async showEndpoints(): Promise<void> {
    const tab = this.page.getByRole('tab', { name: /^Endpoints/ }).first();
    if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
  }

  /** An entry of the Endpoints view whose accessible name contains a text. */
  entry(name: string | RegExp): Locator {
    return this.page.locator('.pane-body').getByRole('treeitem', { name });
  }

  /** The texts of a welcome view that is shown. */
  get welcome(): Locator {
    return this.page.locator('.welcome-view-content');
  }

  message(text: string | RegExp): Locator {
    return this.page.locator('.notification-toast').filter({ hasText: text });
  }

  /** Opens a file of the folder by its name. */
  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press('Control+P');
    await this.page.locator('.quick-input-widget input').first().fill(name);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
    await this.page
      .getByRole('tab', { name: new RegExp(`^${name.split('/').at(-1)}`) })
      .first()
      .waitFor();
  }

  lens(title: string | RegExp): Locator {
    return this.page.locator('.codelens-decoration a', { hasText: title });
  }

  /** The inside of the webview that is shown. */
  get webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview').last().frameLocator('iframe');
  }

  /** Keeps a picture of the window. */
  async picture(name: string): Promise<void> {
    mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
  }

  /** Closes the window, and with it its extension host. */
  async close(): Promise<void> {
    const closed = this.page.waitForEvent('close');
    await this.page.close({ runBeforeUnload: true });
    await closed;
  }

  async #palette(text: string): Promise<void> {
    await this.page.keyboard.press('F1');
    await this.page.locator('.quick-input-widget input').first().fill(`>${text}`);
  }
}
