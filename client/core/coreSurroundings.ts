/** What every call of the core is given: the user's keys, the platform that the settings name, and the project's Python. */
import type { Keys } from '../account/Keys.ts';
import { platformUrl } from '../account/platformUrl.ts';
import type { PythonEnvironments } from '../python/PythonEnvironments.ts';
import type { Surroundings } from './Core.ts';

export function coreSurroundings(
  keys: Keys,
  python: PythonEnvironments,
): (project: string | null) => Promise<Surroundings> {
  return async (project) => {
    const url = platformUrl();
    // The environment wins over settings, as it does over everything else.
    const isSet = process.env['PLATFORM_API_URL'] !== undefined;
    const platform: Surroundings['variables'] = url === null || isSet ? {} : { PLATFORM_API_URL: url };
    return { variables: { ...platform, ...(await python.variables(project)) }, keys: await keys.all() };
  };
}
