/** The platform's own log: JSON lines in TOOLKIT_HOME/platform/platform.log. Keys, tokens and bodies never enter it. */
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { type Logger, pino } from 'pino';
import { HOME_FILES } from '../contract/stateManager.ts';

export type Log = Logger;

/** Opens the log of a home; lines are written at once, so that a killed platform loses none. */
export function openLog(home: string): Log {
  const file = path.join(home, HOME_FILES.platformLog);
  const destination = pino.destination({ dest: file, mkdir: true, sync: true, append: true });
  chmodSync(file, 0o600);
  return pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
