/** A working directory → the root of the project around it. */
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { OUTPUT_DIR, ROOT_MARKERS } from '../contract/names.ts';

/**
 * The nearest folder upward with a root marker; the working directory itself when there is none. The home folder is
 * never a root, and TOOLKIT_HOME is no marker of the folder it stands in.
 *
 * @param cwd - Absolute path to begin at.
 * @param home - The user's home folder.
 * @param toolkitHome - TOOLKIT_HOME, which may have the name of the folder of outputs.
 */
export function findProjectRoot(cwd: string, home: string, toolkitHome: string): string {
  return nearestRoot(cwd, home, toolkitHome) ?? path.resolve(cwd);
}

/** The same, or null when there is no marker. */
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

/** The path without links, or as it is when nothing is there. */
function real(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}
