/** uv's output → the error for a cache of uv that cannot be written. Its folder is in the user's home by default. */
import { ToolkitError } from '../../contract/errors.ts';
import { redact } from '../../source/environment/redact.ts';

const REASON = String.raw`([^:]*) \(os error (\d+)\)`;
const NOT_CREATED = new RegExp(`Failed to initialize cache at \`([^\`]+)\` cause: .*?: ${REASON}`);
const NOT_WRITTEN = new RegExp(`Could not create temporary file cause: ${REASON} at path "([^"]+)/[^/"]+"`);

/** The system's numbers of errors. */
const REASONS: Readonly<Record<string, string>> = {
  1: 'permission denied',
  13: 'permission denied',
  17: 'it is a file, not a folder',
  20: 'one of its folders is a file',
  30: 'the disk is read-only',
};

/** The error for a cache that cannot be written; null if uv failed for another reason. */
export function cacheError(stderr: string): ToolkitError | null {
  const said = redact(stderr).trim();
  const flat = said.replaceAll(/\s+/g, ' ');
  const [, made, madeReason, madeNumber] = NOT_CREATED.exec(flat) ?? [];
  const [, reason = madeReason, number = madeNumber, folder = made] = NOT_WRITTEN.exec(flat) ?? [];
  // A full disk has its own error.
  if (!folder || !number || number === '28') return null;
  const why = REASONS[number] ?? reason;
  return new ToolkitError('NOT_WRITABLE', `uv's cache ${folder} cannot be written: ${why}.`, {
    hint: 'Make this folder writable, or set UV_CACHE_DIR to another one.',
    cause: new Error(said.slice(0, 4_000)),
  });
}
