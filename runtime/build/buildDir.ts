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

/** Removes leftovers, then creates the folder of this build. */
export async function openBuildDir(root: string): Promise<string> {
  const parent = path.join(root, PROJECT_FILES.buildDir);
  builds += 1;
  const folder = path.join(parent, `${process.pid}-${builds}`);
  try {
    await makeFolder(path.join(root, OUTPUT_DIR));
    await clearLeftovers(parent);
    await makeFolder(folder);
  } catch (error) {
    throw asWriteError(error, path.join(root, OUTPUT_DIR));
  }
  return folder;
}

/** Removes the folder of this build; with `keep`, moves its files to `.build/` first. */
export async function closeBuildDir(root: string, folder: string, keep: boolean): Promise<void> {
  const parent = path.join(root, PROJECT_FILES.buildDir);
  if (keep) {
    for (const name of await readdir(folder)) await replace(path.join(parent, name), path.join(folder, name));
  }
  await rm(folder, { recursive: true, force: true });
  await rmdir(parent).catch((error: unknown) => {
    // Another build is running there, or the files are kept.
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(systemCode(error) ?? '')) throw error;
  });
}

/** Moves a file or folder to a path where another build may have put its own at the same time. */
async function replace(target: string, made: string): Promise<void> {
  for (;;) {
    await rm(target, { recursive: true, force: true });
    try {
      return await rename(made, target);
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes(systemCode(error) ?? '')) throw error;
    }
  }
}

async function clearLeftovers(parent: string): Promise<void> {
  const names = await readdir(parent).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    const pid = /^(\d+)-\d+$/.exec(name)?.[1];
    if (pid && isAlive(Number(pid))) continue;
    await rm(path.join(parent, name), { recursive: true, force: true });
  }
}
