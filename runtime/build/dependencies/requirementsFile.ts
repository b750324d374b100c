/** Requirements, constraints and options → the text of a requirements file for uv or pip. */
import { pathToFileURL } from 'node:url';

/** The file with one line for each text. */
export function requirementsFile(texts: readonly string[]): string {
  return texts.map((text) => `${withPlainPath(text)}\n`).join('');
}

/** In a path, uv and pip take ` #` for a comment and `${X}` for a variable. They are encoded in a URL. */
function withPlainPath(text: string): string {
  const folder = /^--find-links (\/.*(?:\s#|\$\{).*)$/.exec(text)?.[1];
  return folder === undefined ? text : `--find-links ${pathToFileURL(folder).href}`;
}
