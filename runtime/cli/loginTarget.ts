/** The platform that `login` and `logout` are about. */
import { ToolkitError } from '../contract/errors.ts';
import { platformUrl } from '../deploy/credentials.ts';
import { findPlatform } from '../deploy/embeddedPlatform.ts';
import { readSettings, type Settings } from '../deploy/settings.ts';
import { projectRoot } from './openProject.ts';
import type { Session } from './session.ts';

/**
 * The address in the environment's PLATFORM_API_URL. One that only a project's `.env` names is refused: that address
 * is used with the key beside it alone, so a stored one would never go there.
 */
export async function loginTarget(session: Session): Promise<{ settings: Settings; url: string }> {
  const settings = readSettings(projectRoot(session), session.env);
  const url = platformUrl(settings);
  // Its address may be written out: to forget or replace that key would shut its owner out.
  if (url === null || (await findPlatform(settings.toolkitHome))?.url === url) {
    throw new ToolkitError('USAGE', 'The embedded platform needs no login: it keeps its own key.', {
      hint: 'For another platform, set PLATFORM_API_URL to its address first.',
    });
  }
  if (!settings.environment['PLATFORM_API_URL']) {
    throw new ToolkitError(
      'KEY_WITHHELD',
      `Only the project's .env names ${url}, and such an address gets no stored key.`,
      { hint: 'Set PLATFORM_API_URL in your environment, or put PLATFORM_API_KEY into the same .env.' },
    );
  }
  return { settings, url };
}
