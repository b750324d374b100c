/**
 * The kernel of the machine that tests emulate: Debian's for virtual machines, unpacked next to the tests'
 * other downloads.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Depends on the newest one. */
const PACKAGE = 'linux-image-cloud-amd64';
const file = path.join(import.meta.dirname, '../../.cache/kernel/vmlinuz');

/** Downloads it if it is missing. */
export function ensureKernel(): void {
  if (existsSync(file)) return;
  const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-kernel-'));
  try {
    if (process.getuid?.() === 0) execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    const dependencies = execFileSync('apt-cache', ['depends', PACKAGE], { encoding: 'utf8' });
    const image = /Depends: (linux-image-\S+)/.exec(dependencies)![1]!;
    execFileSync('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', image], {
      cwd: folder,
      stdio: 'inherit',
    });
    execFileSync('dpkg-deb', ['-x', readdirSync(folder)[0]!, '.'], { cwd: folder, stdio: 'inherit' });
    const kernel = readdirSync(path.join(folder, 'boot')).find((name) => name.startsWith('vmlinuz-'))!;
    mkdirSync(path.dirname(file), { recursive: true });
    copyFileSync(path.join(folder, 'boot', kernel), file);
  } catch (error) {
    throw new Error(`The tests need a Linux kernel with cgroup v2 at ${file}: that of Debian's ${PACKAGE}.`, {
      cause: error,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) ensureKernel();
