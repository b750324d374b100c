/** What the platform and the thread of its store say to each other. */
import type { QueueCounts } from '../jobs/jobStore.ts';
import type { Call } from './doors.ts';
import type { StoreFault } from './storeFault.ts';

export type CallResult = { value: unknown } | { fault: StoreFault };

export type StoreMessage =
  | { type: 'open' }
  | { type: 'refused'; fault: StoreFault }
  /** Values of calls that need not wait for the commit, by the number of the call. */
  | { type: 'early'; values: [number, unknown][] }
  /** Of the calls in the order in which they came, and the queues that they changed. */
  | { type: 'results'; results: CallResult[]; queues: QueueCounts[] };

/** Calls in their order; null closes the store. */
export type StoreRequest = Call[] | null;
