/** Whether a command was started by nohup, so that it goes on when its terminal is closed. */
import { readFileSync } from 'node:fs';

/**
 * Node gives every signal its default effect when it starts, so what nohup asked for can only be seen by what it
 * leaves for a standard input that was a terminal: one that cannot be read (GNU coreutils, `nohup invocation`).
 */
export function isDetached(): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync('/proc/self/fdinfo/0', 'utf8'))?.[1];
    const WRITE_ONLY = 1;
    return flags !== undefined && (Number.parseInt(flags, 8) & 3) === WRITE_ONLY;
  } catch {
    // Another system than Linux: a hangup ends the command.
    return false;
  }
}
