/** `toolkit logout`: deletes the stored key of a platform. */
import { storeKey } from '../../deploy/credentialsFile.ts';
import { loginTarget } from '../loginTarget.ts';
import { paint } from '../paint.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ session }) => {
  const { settings, url } = await loginTarget(session);
  const had = storeKey(settings.toolkitHome, url, null);
  session.result(
    { platform: url, account: null },
    had ? `${paint.green('✓')} Logged out of ${url}.` : `There was no stored key for ${url}.`,
  );
  if (settings.variables['PLATFORM_API_KEY'])
    session.note(`${paint.yellow('note')}: PLATFORM_API_KEY is still set and will be used.`);
};
