/** The paths of the dev server: a function's or route's file, then what tells it from others of the file. */

/** What comes first in every path of a file's functions and routes. */
export function filePrefix(file: string): string {
  return `/${file.replace(/\.py$/, '').split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * What comes before `/runsync` for a queue-based function. Where a file has several, the function's name is part of it,
 * of a class the class's.
 *
 * @param name - Of the function or class, dotted when nested.
 */
export function queuePrefix(file: string, name: string, isAlone: boolean): string {
  return isAlone ? filePrefix(file) : `${filePrefix(file)}/${name.split('.').at(-1)!}`;
}

/** Equal for paths that the same requests match: the names of parameters do not count. */
export function shapeOf(path: string): string {
  return path.replace(/\{[^}:]*(:[^}]*)?\}/g, '{$1}');
}
