/** Disks that are small or take no writes, made by mounting: each asserts that the fault is there. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface Cleanup {
  after(clean: () => void): void;
}

/** Mounts an empty disk of some bytes on a folder that exists. */
export function smallDisk(t: Cleanup, folder: string, bytes: number): void {
  mount(t, folder, ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
  const { blocks, bsize } = statfsSync(folder);
  assert.ok(blocks * bsize <= bytes + bsize, 'the disk is small');
}

/** Fills what is left of a disk. */
export function fillDisk(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  assert.throws(() => writeFileSync(path.join(folder, 'filler'), Buffer.alloc((bavail + 1) * bsize)), {
    code: 'ENOSPC',
  });
}

/** Makes a folder read-only for everybody, root included. */
export function readOnly(t: Cleanup, folder: string): void {
  mount(t, folder, ['--bind', folder, folder]);
  execFileSync('mount', ['-o', 'remount,ro,bind', folder]);
  assert.throws(() => writeFileSync(path.join(folder, 'probe'), ''), { code: 'EROFS' });
}

function mount(t: Cleanup, folder: string, args: string[]): void {
  assert.equal(process.getuid?.(), 0, 'Faults of disks are made by mounting: run the tests as root.');
  execFileSync('mount', args);
  t.after(() => {
    // The folder around it may have gone first.
    if (readFileSync('/proc/mounts', 'utf8').includes(` ${folder} `))
      execFileSync('umount', ['--lazy', folder]);
  });
}
