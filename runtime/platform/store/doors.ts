/**
 * The doors of the store: one class per kind of data. Each call of a door's method is applied completely or
 * not at all. In the store's thread the method runs synchronously; elsewhere it returns a promise that
 * resolves after the commit.
 */
import type { DatabaseSync } from 'node:sqlite';
import { Builds } from './tables/builds.ts';
import { Deployed } from './tables/deployed.ts';
import { Deployments } from './tables/deployments.ts';
import { Facts } from './tables/facts.ts';
import { JobEnds } from './tables/jobEnds.ts';
import { JobRows } from './tables/jobs.ts';
import { KeyRows } from './tables/keys.ts';
import { PartRows } from './tables/parts.ts';
import type { QueueCounter } from './tables/queueCounter.ts';
import { WebhookRows } from './tables/webhooks.ts';
import { WorkerRows } from './tables/workers.ts';

export type Doors = ReturnType<typeof openDoors>;
export type DoorName = keyof Doors;

/** A door as seen from another thread: each method returns a promise. */
export type Remote<Door> = {
  [Method in keyof Door]: Door[Method] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never;
};

export type RemoteDoors = { [Name in DoorName]: Remote<Doors[Name]> };

/** One call of a door's method. */
export interface Call {
  door: DoorName;
  method: string;
  args: unknown[];
}

/** @param counter - Notified of every change of a job's state. */
export function openDoors(database: DatabaseSync, counter: QueueCounter) {
  return {
    facts: new Facts(database),
    keys: new KeyRows(database),
    deployed: new Deployed(database),
    builds: new Builds(database),
    deployments: new Deployments(database),
    parts: new PartRows(database),
    workers: new WorkerRows(database),
    jobs: new JobRows(database, counter),
    jobEnds: new JobEnds(database, counter),
    webhooks: new WebhookRows(database),
  };
}

/** @throws Error if the door has no such method. */
export function perform(doors: Doors, { door, method, args }: Call): unknown {
  const found: unknown = Reflect.get(doors[door], method);
  if (typeof found !== 'function') throw new Error(`The store's door ${door} has no method ${method}.`);
  return Reflect.apply(found, doors[door], args);
}
