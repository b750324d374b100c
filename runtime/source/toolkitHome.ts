import { homedir } from 'node:os';
import path from 'node:path';

/** The folder of state and caches, absolute: TOOLKIT_HOME, by default `~/.toolkit`. */
export function toolkitHome(environment: NodeJS.ProcessEnv): string {
  return path.resolve(environment['TOOLKIT_HOME'] || path.join(homedir(), '.toolkit'));
}
