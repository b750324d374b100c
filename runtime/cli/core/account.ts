/** Checks whether the project's platform accepts its key. */
import type { CoreAccount } from '../../contract/coreMessages.ts';
import { openPlatform } from '../openPlatform.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ session }) => {
  const client = await openPlatform(session);
  const { name } = await client.account(session.signal);
  session.result({ platform: client.url, account: name } satisfies CoreAccount, '');
};
