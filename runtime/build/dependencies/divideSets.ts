/**
 * Endpoints → dependency sets: one for all if it can be resolved. Otherwise endpoints with conflicting requirements get their
 * own sets, and the others share the common one.
 */
import { COMMON_SET } from '../../contract/names.ts';
import { isConflict } from './requirementConflict.ts';
import type { AppRequirements, RequirementSet } from './requirements.ts';

/** A set before it is resolved. */
interface DividedSet<Resolved> {
  name: string;
  /** null for all endpoints that are not in another set. */
  endpoints: string[] | null;
  resolved: Resolved;
}

/**
 * Resolves as few sets as possible.
 *
 * @param resolveOne Resolves one set of the given name.
 * @throws What `resolveOne` throws for a set that cannot be divided further.
 */
export async function divideSets<Resolved>(
  app: AppRequirements,
  resolveOne: (name: string, set: RequirementSet) => Promise<Resolved>,
): Promise<DividedSet<Resolved>[]> {
  const own: DividedSet<Resolved>[] = [];
  let rest = app.endpoints;
  while (rest.length > 0) {
    try {
      const resolved = await resolveOne(COMMON_SET, app.of(rest));
      return [{ name: COMMON_SET, endpoints: null, resolved }, ...own];
    } catch (error) {
      if (!isConflict(error) || rest.length === 1) throw error;
      const named = rest.filter((name) => error.endpoints.has(name));
      // If the conflict names no endpoint, all of them get their own sets.
      const leaving = named.length > 0 ? named : rest;
      for (const endpoints of alike(app, leaving)) {
        const name = `for-${endpoints[0]}`;
        own.push({ name, endpoints, resolved: await resolveOne(name, app.of(endpoints)) });
      }
      rest = rest.filter((name) => !leaving.includes(name));
    }
  }
  return own.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Groups the endpoints with equal requirements; each group shares a set. */
function alike(app: AppRequirements, endpoints: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const endpoint of endpoints) {
    const key = app
      .of([endpoint])
      .requirements.map(({ text }) => text)
      .join('\n');
    groups.set(key, [...(groups.get(key) ?? []), endpoint]);
  }
  return [...groups.values()];
}
