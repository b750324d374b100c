/** Finds the files that the build puts into dist/, from sources and from the bundle alike. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * Absolute path of a file in dist/: the nearest folder upward with a package.json, then dist/. In sources that is
 * the repository's root, in the bundle the folder beside which dist/ was installed.
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
