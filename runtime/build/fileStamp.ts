/** A file on disk → a text that differs whenever the file may say something else. */
import { lstatSync } from 'node:fs';

export function fileStamp(file: string): string {
  const { mtimeMs, ctimeMs, size, ino, mode } = lstatSync(file, { throwIfNoEntry: false }) ?? {};
  return [mtimeMs, ctimeMs, size, ino, mode].join(' ');
}
