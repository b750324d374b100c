/** Why a call to the store failed. */
import { NewerStore } from './schema.ts';

export interface StoreFault {
  kind: 'newer' | 'locked' | 'full' | 'failed';
  message: string;
}

/** SQLite's primary result codes: 5 BUSY, 6 LOCKED, 10 IOERR (ENOSPC while syncing), 13 FULL. */
export function faultOf(error: unknown): StoreFault {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof NewerStore) return { kind: 'newer', message };
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  if (code === 5 || code === 6) return { kind: 'locked', message };
  return { kind: code === 13 || code === 10 ? 'full' : 'failed', message };
}
