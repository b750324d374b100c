/**
 * `.toolkit/.build/`: the working folders of builds. Each is named after the process of its build, so that the next build can
 * remove what a killed build left without touching a running one.
 */
import { readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { OUTPUT_DIR, PROJECT_FILES } from '../contract/names.ts';
import { asWriteError, makeFolder, systemCode } from './fileErrors.ts';
import { isAlive } from './leftovers.ts';

let builds = 0;

/** Creates the folder of this build, then removes leftovers. */
export async function openBuildDir(root: string): Promise<string> {
  const parent = path.join(root, PROJECT_FILES.buildDir);
  builds += 1;
  const folder = path.join(parent, `${process.pid}-${builds}`);
  try {
    await makeFolder(path.join(root, OUTPUT_DIR));
    // A killed build may have had the same process id.
    await rm(folder, { recursive: true, force: true });
    await makeFolder(folder);
    await clearLeftovers(parent, folder);
  } catch (error) {
    throw asWriteError(error, path.join(root, OUTPUT_DIR));
  }
  return folder;
}

/** Removes the folder of this build; with `keep`, moves its files to `.build/` first. */
export async function closeBuildDir(root: string, folder: string, keep: boolean): Promise<void> {
  const parent = path.join(root, PROJECT_FILES.buildDir);
  if (keep) {
    for (const name of await readdir(folder))
      await replace(path.join(parent, name), path.join(folder, name), folder);
  }
  await rm(folder, { recursive: true, force: true });
  await rmdir(parent).catch((error: unknown) => {
    // Another build is running there, or the files are kept.
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(systemCode(error) ?? '')) throw error;
  });
}

/** Moves a file or folder to a path where another build may put its own at the same time. */
async function replace(target: string, made: string, folder: string): Promise<void> {
  for (;;) {
    await remove(target, folder);
    try {
      return await rename(made, target);
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes(systemCode(error) ?? '')) throw error;
    }
  }
}

async function clearLeftovers(parent: string, folder: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = /^(\d+)-\d+$/.exec(name)?.[1];
    if (!pid || !isAlive(Number(pid))) await remove(path.join(parent, name), folder);
  }
}

/**
 * Removes a file or folder that other builds may remove or replace at the same time. It is moved to this build's own folder
 * first, since a folder cannot be removed while another build puts files into it.
 */
async function remove(file: string, folder: string): Promise<void> {
  const moved = path.join(folder, '.removed');
  try {
    await rename(file, moved);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  await rm(moved, { recursive: true, force: true });
}
