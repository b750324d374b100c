/** Unfinished files are named by the process that writes them: those of a process that is gone may be taken or cleared. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from './fileErrors.ts';

/**
 * Absolute paths of what ended processes left in a folder.
 *
 * @param name What such a file is called; its first group is the process.
 */
export async function leftovers(folder: string, name: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  const found = names.filter((one) => {
    const pid = name.exec(one)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
  return found.map((one) => path.join(folder, one));
}

/** Whether a process runs, whoever's it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
