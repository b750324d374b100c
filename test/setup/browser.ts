/** Chromium for tests of pages: the system's own, controlled over its debugging protocol. */
import { type Browser, chromium } from 'playwright-core';
import { ensurePrograms } from './programs.ts';

/** Starts it without a window, and installs it if possible. */
export async function openBrowser(): Promise<Browser> {
  ensurePrograms({ chromium: 'chromium fonts-dejavu-core' });
  const args = ['--disable-gpu', '--disable-quic', '--disable-background-networking'];
  return await chromium.launch({ executablePath: '/usr/bin/chromium', chromiumSandbox: false, args });
}
