/** Messages between the platform and the thread of its store. */
import type { QueueCounts } from '../jobs/jobStore.ts';
import type { Call } from './doors.ts';
import type { StoreFault } from './storeFault.ts';

export type CallResult = { value: unknown } | { fault: StoreFault };

export type StoreMessage =
  | { type: 'open' }
  | { type: 'refused'; fault: StoreFault }
  /** Before the commit: values by the number of their call, and the queues as they will be after it. */
  | { type: 'early'; values: [number, unknown][]; queues: QueueCounts[] }
  /** Results of the calls, in order, and the queues that they changed. */
  | { type: 'results'; results: CallResult[]; queues: QueueCounts[] };

/** Calls in order; null closes the store. */
export type StoreRequest = Call[] | null;
