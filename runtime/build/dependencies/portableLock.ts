/**
 * A resolved lock → the lock to commit: paths of files in the project are relative, so that the lock works in every copy of the
 * project. Other files keep their absolute paths.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LockDocument } from './lockDocument.ts';

/**
 * Makes paths of files in the project relative to the lock.
 *
 * @param base Folder of the relative paths in the document.
 */
export function portableLock({ head, packages }: LockDocument, base: string, root: string): LockDocument {
  return {
    head,
    packages: packages.map((table) => mapFiles(table, (file) => portableFile(file, base, root))),
  };
}

/** Removes the project's folder from a text that is hashed, so that all copies of the project give the same hash. */
export function withoutRoot(text: string, root: string): string {
  return text.replaceAll(`${root}${path.sep}`, '');
}

function mapFiles(
  table: Record<string, unknown>,
  map: (file: Record<string, unknown>) => Record<string, unknown>,
): Record<string, unknown> {
  const mapped = { ...table };
  for (const key of ['archive', 'sdist']) if (isTable(table[key])) mapped[key] = map(table[key]);
  if (Array.isArray(table.wheels)) {
    mapped.wheels = table.wheels.map((wheel: unknown) => (isTable(wheel) ? map(wheel) : wheel));
  }
  return mapped;
}

function portableFile(file: Record<string, unknown>, base: string, root: string): Record<string, unknown> {
  const { url, path: named, ...rest } = file;
  const absolute =
    typeof named === 'string'
      ? path.resolve(base, named)
      : typeof url === 'string' && url.startsWith('file:')
        ? fileURLToPath(url)
        : null;
  if (absolute === null) return file;
  const relative = path.relative(root, absolute);
  const isInside = !relative.startsWith('..') && !path.isAbsolute(relative);
  return { path: isInside ? relative.split(path.sep).join('/') : absolute, ...rest };
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
