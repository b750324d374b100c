/** Facts → the same facts with the reach of their statements decided. */
import type { Reach } from './reach.ts';

/**
 * Changes each part of facts that may have a reach; parts without a change stay the same objects.
 *
 * @param change - Gets every object, also one that is no reach, and returns it if nothing in it changes.
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
