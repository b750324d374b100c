/**
 * The platform's own log: JSON lines in TOOLKIT_HOME/platform/platform.log. It never contains keys, tokens or
 * bodies.
 */
import { mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { type Logger, pino } from 'pino';
import { HOME_FILES } from '../contract/stateManager.ts';
import { rotateLog } from './rotateLog.ts';

export type Log = Logger;

/**
 * Opens the log of a TOOLKIT_HOME. Lines are written at once, so that none is lost if the platform is killed.
 */
export function openLog(home: string): Log {
  const file = path.join(home, HOME_FILES.platformLog);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  return pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, lineWriter(file));
}

/**
 * Drops lines while the disk is full: there is no other place to report it, and the platform continues to
 * serve.
 */
function lineWriter(file: string): { write(line: string): void } {
  const descriptor = openSync(file, 'a', 0o600);
  let torn = false;
  return {
    write(line) {
      const bytes = Buffer.from(torn ? `\n${line}` : line);
      try {
        rotateLog(file, bytes.length);
        const written = writeSync(descriptor, bytes);
        torn = written < bytes.length;
      } catch {
        // The next line tries again.
      }
    },
  };
}
