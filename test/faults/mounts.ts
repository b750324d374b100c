/** Small and read-only disks, made by mounting. Each asserts that the fault exists. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface Cleanup {
  after(clean: () => void): void;
}

/** Mounts an empty disk of the given size on an existing folder. */
export function smallDisk(t: Cleanup, folder: string, bytes: number): void {
  mount(t, folder, ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
  const { blocks, bsize } = statfsSync(folder);
  assert.ok(blocks * bsize <= bytes + bsize, 'the disk is small');
}

/** Fills the free space of a disk. */
export function fillDisk(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  assert.throws(() => writeFileSync(path.join(folder, 'filler'), Buffer.alloc((bavail + 1) * bsize)), {
    code: 'ENOSPC',
  });
}

/** Makes a folder read-only for everyone, including root. */
export function readOnly(t: Cleanup, folder: string): void {
  mount(t, folder, ['--bind', folder, folder]);
  execFileSync('mount', ['-o', 'remount,ro,bind', folder]);
  assert.throws(() => writeFileSync(path.join(folder, 'probe'), ''), { code: 'EROFS' });
}

function mount(t: Cleanup, folder: string, args: string[]): void {
  assert.equal(process.getuid?.(), 0, 'Faults of disks require mounting: run the tests as root.');
  execFileSync('mount', args);
  t.after(() => {
    // The parent folder can already be gone.
    if (readFileSync('/proc/mounts', 'utf8').includes(` ${folder} `))
      execFileSync('umount', ['--lazy', folder]);
  });
}
