/** Facts → the same facts, with the reach of their statements changed. */
import type { Reach } from './reach.ts';

/**
 * Applies a change to every object in the facts. Parts that do not change stay the same objects.
 *
 * @param change - Called with every object, even if it is not a reach. Returns the object itself if nothing
 *   changes.
 */
export function mapReach<Data>(data: Data, change: (part: Partial<Reach>) => Partial<Reach>): Data;
export function mapReach(data: unknown, change: (part: Partial<Reach>) => Partial<Reach>): unknown {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) {
    const items = data.map((item) => mapReach(item, change));
    return items.every((item, at) => item === data[at]) ? data : items;
  }
  const changed = Object.entries(data).flatMap(([key, value]) => {
    const now = mapReach(value, change);
    return now === value ? [] : [[key, now] as const];
  });
  return change(changed.length === 0 ? data : { ...data, ...Object.fromEntries(changed) });
}
