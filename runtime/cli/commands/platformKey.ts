/** `toolkit platform key`: prints only the embedded platform's owner key, for use in other commands. */
import { ToolkitError } from '../../contract/errors.ts';
import { OWN_KEY_HINT } from '../../deploy/credentials.ts';
import { readCredentials } from '../../deploy/credentialsFile.ts';
import { findPlatform } from '../../deploy/embeddedPlatform.ts';
import { readSettings } from '../../deploy/settings.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ session }) => {
  const { toolkitHome } = readSettings(null, session.env);
  const record = await findPlatform(toolkitHome);
  if (!record) {
    throw new ToolkitError(
      'PLATFORM_NOT_RUNNING',
      'The embedded platform is not running, so it has no key to show.',
      {
        hint: 'Run "toolkit platform start".',
      },
    );
  }
  const key = readCredentials(toolkitHome)[record.url]?.key;
  if (!key) {
    throw new ToolkitError(
      'KEY_MISSING',
      `The credentials file has no key for the platform at ${record.url}.`,
      {
        hint: OWN_KEY_HINT,
      },
    );
  }
  process.stdout.write(`${key}\n`);
};
