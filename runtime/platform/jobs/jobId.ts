/** The ids of jobs. They are in order of time (UUID version 7), so that the store's index of them grows at its end. */
import { randomUUID } from 'node:crypto';
import { wallClock } from '../clock.ts';

/** Of a job whose answer does not wait for its end. */
export function runId(): string {
  return `${orderedUuid()}-u1`;
}

/** Of a job whose answer waits for its end. */
export function runsyncId(): string {
  return `sync-${orderedUuid()}-u1`;
}

/** RFC 9562, version 7: 48 bits of milliseconds since 1970; the other 74 are random. Node 22 makes only version 4. */
function orderedUuid(): string {
  const time = wallClock().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
