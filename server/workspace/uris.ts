/** URIs of an editor ↔ paths on this machine. */
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The absolute path of a `file:` URI; null if it is not a file on this machine. */
export function pathOfUri(uri: string): string | null {
  if (!/^file:/i.test(uri)) return null;
  try {
    return path.resolve(fileURLToPath(uri));
  } catch {
    // A file on another host, or an invalid escape.
    return null;
  }
}

/**
 * The URI of a path, for when the editor's own spelling is unknown. Uses the spelling of VS Code, so that the extension
 * can compare URIs as text: VS Code escapes brackets, quotes and the colon of a drive, a URL does not.
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

/** A path relative to a root, with `/`; `''` for the root itself, null for a path outside it. */
export function relativeTo(root: string, absolute: string): string | null {
  if (absolute === root) return '';
  const start = root.endsWith(path.sep) ? root : root + path.sep;
  return absolute.startsWith(start) ? absolute.slice(start.length).split(path.sep).join('/') : null;
}
