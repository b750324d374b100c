/** A path → a stamp that changes when the file or folder changes, without reading it. */
import { statSync } from 'node:fs';

/** A string that changes with a file or with the entries of a folder; empty when the path does not exist. */
export function fileStamp(place: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino, mode } = statSync(place, { bigint: true });
    return [mtimeNs, ctimeNs, size, ino, mode].join(' ');
  } catch {
    // An inaccessible path counts as missing; the code that needs the file reports it.
    return '';
  }
}
