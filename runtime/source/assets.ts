/** Finds the files that the build writes to dist/, both when running from sources and from the bundle. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * Absolute path of a file in dist/, which is next to the nearest package.json above this module: the repository's in
 * sources, the installed package's in the bundle.
 */
export function distFile(name: string): string {
  let folder = import.meta.dirname;
  while (!existsSync(path.join(folder, 'package.json'))) {
    const parent = path.dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  return path.join(folder, 'dist', name);
}
