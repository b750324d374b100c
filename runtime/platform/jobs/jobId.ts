/**
 * The ids of jobs. They are ordered by time (UUID version 7), so that the store appends to its index of ids.
 */
import { randomUUID } from 'node:crypto';
import { wallClock } from '../clock.ts';

/** The id of a job whose client does not wait for its end. */
export function runId(): string {
  return `${orderedUuid()}-u1`;
}

/** The id of a job whose client waits for its end. */
export function runsyncId(): string {
  return `sync-${orderedUuid()}-u1`;
}

/**
 * RFC 9562, version 7: 48 bits of milliseconds since 1970; the other 74 are random. Node 22 can create only
 * version 4.
 */
function orderedUuid(): string {
  const time = wallClock().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
