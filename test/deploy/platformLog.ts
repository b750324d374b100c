/** Reads what the platform did from its own log. */
import { readFileSync } from 'node:fs';

/** Endpoints that the platform's log names with an event since an offset, sorted. */
export function namesSince(log: string, from: number, event: string): string[] {
  const lines = readFileSync(log).subarray(from).toString('utf8').split('\n').filter(Boolean);
  const events = lines.map((line) => JSON.parse(line) as { msg: string; name?: string });
  return events.flatMap(({ msg, name }) => (msg === event ? [name!] : [])).toSorted();
}
