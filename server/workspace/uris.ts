/** URIs of an editor ↔ paths of this machine. */
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The absolute path of a `file:` URI; null for what is not a file of this machine. */
export function pathOfUri(uri: string): string | null {
  if (!/^file:/i.test(uri)) return null;
  try {
    return path.resolve(fileURLToPath(uri));
  } catch {
    // A file of another host, or an escape that is not valid.
    return null;
  }
}

/** The URI of a path, for when the editor's own spelling of it is not known. */
export function uriOfPath(absolute: string): string {
  return pathToFileURL(absolute).href;
}

/** A path inside a root, relative to it with `/`, `''` for the root; null when it is elsewhere. */
export function relativeTo(root: string, absolute: string): string | null {
  if (absolute === root) return '';
  const start = root.endsWith(path.sep) ? root : root + path.sep;
  return absolute.startsWith(start) ? absolute.slice(start.length).split(path.sep).join('/') : null;
}
