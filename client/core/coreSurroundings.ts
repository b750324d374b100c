/** What every call of the core is given: the user's keys, and the platform that the settings name. */
import type { Keys } from '../account/Keys.ts';
import { platformUrl } from '../account/platformUrl.ts';
import type { Surroundings } from './Core.ts';

export function coreSurroundings(keys: Keys): (project: string | null) => Promise<Surroundings> {
  return async () => {
    const url = platformUrl();
    // The environment wins over settings, as it does over everything else.
    const isSet = process.env['PLATFORM_API_URL'] !== undefined;
    return { variables: url === null || isSet ? {} : { PLATFORM_API_URL: url }, keys: await keys.all() };
  };
}
