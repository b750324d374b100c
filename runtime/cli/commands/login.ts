/** `toolkit login`: checks a key with its platform, then stores it for that platform only. */
import { ToolkitError } from '../../contract/errors.ts';
import { isKey } from '../../contract/keys.ts';
import { storeKey } from '../../deploy/credentialsFile.ts';
import { PlatformClient } from '../../deploy/platformClient.ts';
import { askSecret } from '../ask.ts';
import { loginTarget } from '../loginTarget.ts';
import { paint } from '../paint.ts';
import { readStandardInput } from '../readStandardInput.ts';
import { type Handler, type Session, textFlag } from '../session.ts';

export const handle: Handler = async ({ flags, session }) => {
  const { settings, url } = await loginTarget(session);
  const key = await readKey(textFlag(flags, 'key'), session, url);
  const client = new PlatformClient(url, { value: key, source: 'your input' }, false);
  const account = await client.account(session.signal);
  storeKey(settings.toolkitHome, url, key);
  session.result(
    { platform: url, account: account.name },
    `${paint.green('✓')} Logged in to ${url} as ${account.name} (${account.scope} key).`,
  );
  if (settings.variables['PLATFORM_API_KEY'])
    session.note(
      `${paint.yellow('note')}: PLATFORM_API_KEY is set and takes precedence over the stored key.`,
    );
};

/** Reads the key. It is not accepted on the command line, where it would show in the shell history and process list. */
async function readKey(flag: string | null, session: Session, url: string): Promise<string> {
  if (flag !== null && flag !== '-') {
    throw new ToolkitError(
      'USAGE',
      'Do not pass the key itself to --key: other users of this machine can see the arguments of a command.',
      {
        hint: 'Run "toolkit login" to be prompted for it, or "toolkit login --key - < FILE".',
      },
    );
  }
  if (flag === null && !session.interactive) {
    throw new ToolkitError('USAGE', 'Cannot prompt for the key: standard input is not a terminal.', {
      hint: 'Run "toolkit login --key - < FILE".',
    });
  }
  const key = (
    flag === '-'
      ? (await readStandardInput(session.signal)).toString()
      : await askSecret(`Key for ${url}:`, session.signal)
  ).trim();
  if (isKey(key)) return key;
  if (key === '')
    throw new ToolkitError('USAGE', 'The key is empty.', {
      hint: flag === '-' ? 'Write the key to standard input.' : 'Enter the key, or press Ctrl+C to cancel.',
    });
  throw new ToolkitError(
    'USAGE',
    'This is not a key: it contains a space, a line break or a character that is not ASCII.',
    { hint: 'Enter only the key.' },
  );
}
