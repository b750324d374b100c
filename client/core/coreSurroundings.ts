/** Data sent with every call of the core: the user's keys, the platform from the settings, and the project's Python. */
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
    // The environment takes precedence over settings, as over everything else.
    const isSet = process.env['PLATFORM_API_URL'] !== undefined;
    const platform: Surroundings['variables'] = url === null || isSet ? {} : { PLATFORM_API_URL: url };
    return { variables: { ...platform, ...(await python.variables(project)) }, keys: await keys.all() };
  };
}
