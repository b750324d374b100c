/** What a user does in the workbench with the keyboard, and where it answers. */
import type { Locator, Page } from 'playwright-core';

/** Runs a command by its title in the palette: rows move while the list is filtered, so none is clicked. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').fill(`>${title}`);
  const focused = page.locator(`.quick-input-list .monaco-list-row.focused[aria-label^="${title}"]`);
  for (let tries = 0; tries < 100; tries += 1) {
    const isThere = await focused.isVisible();
    await page.waitForTimeout(50);
    if (isThere && (await focused.isVisible())) return page.keyboard.press('Enter');
    if (!isThere) await page.keyboard.press('ArrowDown');
  }
  throw new Error(`The palette does not offer ${title}.`);
}

/** A notification by a part of its text, once it is there. The tests' workbench shows them in their center alone. */
export async function notification(page: Page, text: string | RegExp, wait = 20_000): Promise<Locator> {
  const center = page.locator('.notifications-center.visible');
  const item = center.locator('.notification-list-item', { hasText: text }).first();
  for (const until = performance.now() + wait; !(await item.isVisible()); await page.waitForTimeout(50)) {
    if (performance.now() > until)
      throw new Error(`There is no notification ${text}, only ${await center.allInnerTexts()}`);
    if (!(await center.isVisible())) await page.locator('.statusbar-item[id="status.notifications"]').click();
  }
  return item;
}

/** Presses a button of a notification. */
export async function press(page: Page, text: string | RegExp, button: string): Promise<void> {
  const item = await notification(page, text);
  await item.getByRole('button', { name: button, exact: true }).click();
}

/** The extension's item in the status bar. */
export function statusItem(page: Page): Locator {
  return page.locator('.statusbar-item[id$="toolkit.status"]');
}
