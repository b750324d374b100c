/** A path → a stamp that differs when something has changed there, without reading it. */
import { statSync } from 'node:fs';

/** A text that changes with a file or with the entries of a folder; empty when the path does not exist. */
export function fileStamp(place: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino, mode } = statSync(place, { bigint: true });
    return [mtimeNs, ctimeNs, size, ino, mode].join(' ');
  } catch {
    // An inaccessible path counts as missing, which whoever needs it reports.
    return '';
  }
}
