/**
 * The paths of the dev server: the path of the file, then a part that identifies the function or route in the
 * file.
 */

/** The first part of the path of every function and route in a file. */
export function filePrefix(file: string): string {
  return `/${file.replace(/\.py$/, '').split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * The part before `/runsync` for a queue-based function. If a file has several, it contains the name of the
 * function or class.
 *
 * @param name - Name of the function or class, dotted when nested.
 */
export function queuePrefix(file: string, name: string, isAlone: boolean): string {
  return isAlone ? filePrefix(file) : `${filePrefix(file)}/${name.split('.').at(-1)!}`;
}

/** Equal for paths that match the same requests: the names of parameters do not matter. */
export function shapeOf(path: string): string {
  return path.replace(/\{[^}:]*(:[^}]*)?\}/g, '{$1}');
}
