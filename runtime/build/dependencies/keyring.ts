/**
 * Looks up passwords in the user's keyring with the command `keyring`, as uv and pip do
 * (pip.pypa.io/en/stable/topics/authentication), for a user that is named in the address of an index.
 */
import { systemCode } from '../fileErrors.ts';
import { runTool } from '../runTool.ts';
import { onPath } from './interpreter.ts';

/** Returns the password of a user of an index; null if it is not in the keyring. */
export type AskKeyring = (url: URL, user: string) => Promise<string | null>;

/** The values of pip's `keyring-provider` and uv's `UV_KEYRING_PROVIDER` that turn the keyring off. */
const OFF = new Set(['disabled', 'none']);

/**
 * Finds the command.
 *
 * @param provider The user's `keyring-provider`. By default, as in pip, an installed keyring is used.
 * @returns null if there is none, or the user has turned it off.
 */
export function findKeyring(provider: string | undefined, env: NodeJS.ProcessEnv): string | null {
  return OFF.has(provider ?? '') ? null : (onPath('keyring', env)[0] ?? null);
}

/** Looks up the whole address first, then only the host, since `keyring set` can store either. */
export function keyring(
  command: string | null,
  options: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): AskKeyring {
  return async (url, user) => {
    if (command === null) return null;
    const address = new URL(url);
    address.username = '';
    address.password = '';
    try {
      for (const service of [address.href, address.host]) {
        const run = await runTool(command, ['get', service, user], options);
        const password = run.stdout.replace(/\r?\n$/, '');
        if (run.code === 0 && password !== '') return password;
      }
    } catch (error) {
      options.signal.throwIfAborted();
      // The command cannot be started. If the index needs a password, it rejects the download, which is reported.
      if (systemCode(error) === null) throw error;
    }
    return null;
  };
}
