/** Files whose content cannot be had → the finding `unreadable-file`. */
import { DIAGNOSTIC_SEVERITY, type Diagnostic, type Range } from '../../contract/diagnostic.ts';
import type { Decoded } from './decodeSource.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you have no permission to read it',
  EPERM: 'you have no permission to read it',
  ENOENT: 'it is a link to nothing',
  ELOOP: 'it is a link to itself',
  EIO: 'the disk could not read it',
};

/** A file or folder that cannot be opened; `code` is the file system's, such as `EACCES`. */
export function unreadable(file: string, code: string): Diagnostic {
  const reason = REASONS[code] ?? `the system answered ${code}`;
  const fix = 'Make it readable, remove it, or name it in .toolkitignore.';
  return found(file, lineRange(0), `${file} cannot be opened: ${reason}.`, fix);
}

/** A file with the words of a declaration whose bytes are no text. */
export function undecodable(
  file: string,
  { fault, fix, line }: Exclude<Decoded, { text: string }>,
): Diagnostic {
  return found(file, lineRange(line), fault, fix);
}

function lineRange(line: number) {
  return { start: { line, character: 0 }, end: { line, character: 0 } };
}

function found(file: string, range: Range, message: string, fix: string): Diagnostic {
  const code = 'unreadable-file';
  return { code, severity: DIAGNOSTIC_SEVERITY[code], file, range, message, related: [], fix };
}
