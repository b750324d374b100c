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

/**
 * The URI of a path, for when the editor's own spelling of it is not known. It is spelled as VS Code spells it, so that
 * the extension can compare URIs as text: a URL leaves brackets, quotes and the colon of a drive as they are.
 */
export function uriOfPath(absolute: string): string {
  const { host, pathname } = pathToFileURL(absolute);
  const plain = decodeURIComponent(pathname).replace(/^\/[A-Z]:/, (drive) => drive.toLowerCase());
  return `file://${host}${plain.split('/').map(escapeAll).join('/')}`;
}

function escapeAll(text: string): string {
  const escape = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[!'()*]/g, escape);
}

/** A path inside a root, relative to it with `/`, `''` for the root; null when it is elsewhere. */
export function relativeTo(root: string, absolute: string): string | null {
  if (absolute === root) return '';
  const start = root.endsWith(path.sep) ? root : root + path.sep;
  return absolute.startsWith(start) ? absolute.slice(start.length).split(path.sep).join('/') : null;
}
