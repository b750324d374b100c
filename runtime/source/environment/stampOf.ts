/** Whether something on disk may have changed, without reading it. */
import { statSync } from 'node:fs';

/** A text that changes with a file or with the entries of a folder; empty for what is not there. */
export function stampOf(place: string): string {
  try {
    const { mtimeMs, size } = statSync(place);
    return `${mtimeMs} ${size}`;
  } catch {
    // Closed to us is as good as gone: whoever needs it reports that it is missing.
    return '';
  }
}
