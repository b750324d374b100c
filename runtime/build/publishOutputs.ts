/** Moves finished files of a build to their targets by renaming, so that the last artifact stays until the new one is complete. */
import { copyFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { asWriteError, makeFolder, systemCode } from './fileErrors.ts';

/** Moves a finished file over its target, also across file systems. */
export async function publish(file: string, target: string): Promise<void> {
  try {
    await makeFolder(path.dirname(target));
    await rename(file, target);
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw asWriteError(error, target);
    await copyThenRename(file, target);
  }
}

async function copyThenRename(file: string, target: string): Promise<void> {
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    await copyFile(file, temporary);
    await rename(temporary, target);
  } catch (error) {
    throw asWriteError(error, target);
  } finally {
    await rm(temporary, { force: true });
  }
}
