/** The platform that `login` and `logout` apply to. */
import { ToolkitError } from '../contract/errors.ts';
import { platformUrl } from '../deploy/credentials.ts';
import { findPlatform } from '../deploy/embeddedPlatform.ts';
import { readSettings, type Settings } from '../deploy/settings.ts';
import { projectRoot } from './openProject.ts';
import type { Session } from './session.ts';

/**
 * The address in PLATFORM_API_URL. It must be set in the environment: an address from a project's `.env` is only used
 * with the key in the same file, so a stored key would never be sent to it.
 *
 * @throws ToolkitError USAGE for the embedded platform, KEY_WITHHELD for an address from `.env`.
 */
export async function loginTarget(session: Session): Promise<{ settings: Settings; url: string }> {
  const settings = readSettings(projectRoot(session), session.env);
  const url = platformUrl(settings);
  // PLATFORM_API_URL can also hold the embedded platform's address. Replacing that key would lock its owner out.
  if (url === null || (await findPlatform(settings.toolkitHome))?.url === url) {
    throw new ToolkitError(
      'USAGE',
      'The embedded platform manages its own key, so "toolkit login" and "toolkit logout" are not used with it.',
      {
        hint: 'To use another platform, first set PLATFORM_API_URL to its address.',
      },
    );
  }
  if (!settings.environment['PLATFORM_API_URL']) {
    throw new ToolkitError(
      'KEY_WITHHELD',
      `PLATFORM_API_URL in the project's .env is ${url}. Stored keys are never sent to an address from .env.`,
      { hint: 'Set PLATFORM_API_URL in your environment, or put PLATFORM_API_KEY into the same .env.' },
    );
  }
  return { settings, url };
}
