/**
 * Chromium for tests of pages and of VS Code's windows: Debian's build without a window system, which draws the same
 * pages with less, controlled over its debugging protocol.
 */
import { type Browser, chromium } from 'playwright-core';
import { ensurePrograms } from './programs.ts';

const PROGRAM = 'chromium-headless-shell';

/** Starts it, and installs it if possible. */
export async function openBrowser(): Promise<Browser> {
  ensurePrograms({ [PROGRAM]: `${PROGRAM} fonts-dejavu-core` });
  const args = ['--disable-gpu', '--disable-quic', '--disable-background-networking'];
  return await chromium.launch({ executablePath: `/usr/bin/${PROGRAM}`, chromiumSandbox: false, args });
}
