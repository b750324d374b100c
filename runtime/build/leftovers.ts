/** Unfinished files carry the id of the process that writes them. Once that process has ended, others may use or remove them. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from './fileErrors.ts';

/**
 * Absolute paths of the files that ended processes left in a folder.
 *
 * @param name Pattern of such a file's name; its first group is the process id.
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

/** Whether a process is running, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
