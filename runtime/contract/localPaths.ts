/** Paths that the dev server answers on: an endpoint's own ones behind the name of the file that declares it. */

/** `<worker_file_name>` of the specification: the file's path from the project's root without `.py`. */
function workerFile(file: string): string {
  return file.replace(/\.py$/, '');
}

/** Where a route is answered in dev; deployed, it is the path as declared. */
export function localRoutePath(file: string, path: string): string {
  return `/${workerFile(file)}${path}`;
}

/**
 * Where a queue-based function is called in dev.
 *
 * @param alone - Whether it is the only queue-based function of its file.
 */
export function localQueuePath(file: string, name: string, alone: boolean): string {
  return alone ? `/${workerFile(file)}/runsync` : `/${workerFile(file)}/${name}/runsync`;
}
