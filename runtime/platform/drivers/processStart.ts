/** Reads from /proc whether a process is alive, and since when. */
import { readFileSync } from 'node:fs';

/** Start time in clock ticks since boot (field 22 of /proc/PID/stat); null if no such process is alive. */
export function processStart(pid: number): number | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // No such process.
    return null;
  }
  // The command's name is in parentheses and can contain anything. Fields are counted after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  return Number(fields[19]);
}
