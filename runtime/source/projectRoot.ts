/** A working directory → the root of the project around it. */
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { OUTPUT_DIR, ROOT_MARKERS } from '../contract/names.ts';

/**
 * The nearest folder with a root marker, from the working directory upward; the working directory itself when there is
 * none. The home folder is never a root, and TOOLKIT_HOME does not mark the folder that contains it.
 *
 * @param cwd - Absolute path of the folder to start from.
 * @param home - The user's home folder.
 * @param toolkitHome - TOOLKIT_HOME, which may have the same name as the output folder.
 */
export function findProjectRoot(cwd: string, home: string, toolkitHome: string): string {
  return nearestRoot(cwd, home, toolkitHome) ?? path.resolve(cwd);
}

/** Like `findProjectRoot`, but null when there is no marker. */
export function nearestRoot(cwd: string, home: string, toolkitHome: string): string | null {
  const realHome = real(home);
  const realToolkitHome = real(toolkitHome);
  let folder = path.resolve(cwd);
  for (;;) {
    const isHome = real(folder) === realHome;
    if (!isHome && ROOT_MARKERS.some((marker) => isMarker(folder, marker, realToolkitHome))) return folder;
    const parent = path.dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
}

function isMarker(folder: string, marker: string, toolkitHome: string): boolean {
  const file = path.join(folder, marker);
  return existsSync(file) && (marker !== OUTPUT_DIR || real(file) !== toolkitHome);
}

/** The path with links resolved, or the absolute path when it does not exist. */
function real(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}
