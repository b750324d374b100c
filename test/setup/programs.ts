/**
 * System programs that tests and benchmarks use: installed where apt-get is allowed, otherwise reported with
 * their packages.
 */
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Program → its Debian packages. */
const PROGRAMS: Record<string, string> = {
  zsh: 'zsh',
  fish: 'fish',
  ip: 'iproute2',
  script: 'bsdutils',
  curl: 'curl',
  nvim: 'neovim',
  emacs: 'emacs-nox elpa-eglot',
  'chromium-headless-shell': 'chromium-headless-shell fonts-dejavu-core',
  'qemu-system-x86_64': 'qemu-system-x86',
  'g++': 'g++',
  make: 'make',
};

/** Another installation can be running, such as the machine's own updates. */
const AWAIT_LOCK = ['-o', 'DPkg::Lock::Timeout=300'];

/** Installs missing programs. */
export function ensurePrograms(programs: Record<string, string> = PROGRAMS): void {
  const missing = Object.keys(programs).filter((program) => !isOnPath(program));
  if (missing.length === 0) return;
  const packages = missing.flatMap((program) => programs[program]!.split(' '));
  const sentence = `${missing.join(', ')} must be on PATH: install the Debian packages ${packages.join(' ')}.`;
  if (process.getuid?.() !== 0) throw new Error(sentence);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env });
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...AWAIT_LOCK, ...packages], {
      stdio: 'inherit',
      env,
    });
  } catch (error) {
    throw new Error(sentence, { cause: error });
  }
}

function isOnPath(program: string): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/sbin'];
  return folders.some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
