/** A path → a stamp that differs when something has changed there, without reading it. */
import { statSync } from 'node:fs';

/** A text that changes with a file or with the entries of a folder; empty when the path does not exist. */
export function stampOf(place: string): string {
  try {
    const { mtimeMs, size } = statSync(place);
    return `${mtimeMs} ${size}`;
  } catch {
    // An inaccessible path counts as missing, which whoever needs it reports.
    return '';
  }
}
