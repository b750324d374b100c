/** Paths of the dev server: the path of an endpoint, prefixed with the file that declares it. */

/** `<worker_file_name>` of the specification: the file's path from the project's root without `.py`. */
function workerFile(file: string): string {
  return file.replace(/\.py$/, '');
}

/** The path of a route in dev. A deployed route has its path as declared. */
export function localRoutePath(file: string, path: string): string {
  return `/${workerFile(file)}${path}`;
}

/**
 * The path of a queue-based function in dev.
 *
 * @param alone - Whether it is the only queue-based function of its file.
 */
export function localQueuePath(file: string, name: string, alone: boolean): string {
  return alone ? `/${workerFile(file)}/runsync` : `/${workerFile(file)}/${name}/runsync`;
}
