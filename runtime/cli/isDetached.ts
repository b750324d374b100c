/** Detects nohup, under which a command keeps running when its terminal closes. */
import { readFileSync } from 'node:fs';

/**
 * Node resets every signal to its default action at startup, so the ignored SIGHUP that nohup sets is lost. What
 * remains is standard input: where it was a terminal, nohup makes it unreadable (GNU coreutils, `nohup invocation`).
 */
export function isDetached(): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync('/proc/self/fdinfo/0', 'utf8'))?.[1];
    const WRITE_ONLY = 1;
    return flags !== undefined && (Number.parseInt(flags, 8) & 3) === WRITE_ONLY;
  } catch {
    // Not Linux: a hangup ends the command.
    return false;
  }
}
