/** What `toolkit dev` reports while it runs: the lines of `dev --json`, and what the terminal draws. */
import type { ErrorCode } from './errors.ts';

/** One path of the dev server. */
export interface DevPath {
  path: string;
  method: string;
  type: 'queue' | 'load-balanced';
  /** First line of the function's docstring, or null. */
  description: string | null;
}

export type DevEvent =
  /** The server answers. `token` is needed where others than this machine can connect, else null. */
  | { event: 'ready'; url: string; token: string | null; routes: DevPath[] }
  /**
   * A save was taken over. `updated` endpoints serve their new version, `recovered` ones are what is written
   * again, and those in `kept` go on with the version before, if one `serves`: until the next save, or
   * while dev tries again if `retried`. Also emitted for the mistakes that are there at the start.
   */
  | {
      event: 'reload';
      updated: string[];
      recovered: string[];
      added: string[];
      removed: string[];
      kept: { endpoint: string; code: ErrorCode; message: string; serves: boolean; retried: boolean }[];
      /** Since the save was seen. */
      milliseconds: number;
    }
  /**
   * An endpoint serves for the first time. `hardware` is as the platform describes it; `reused`: a dev that crashed has
   * left it.
   */
  | { event: 'provisioned'; endpoint: string; hardware: string; milliseconds: number; reused: boolean }
  /** A request was answered; `where` is the endpoint and its hardware, null if it reached none. */
  | {
      event: 'request';
      method: string;
      path: string;
      status: number;
      milliseconds: number;
      where: string | null;
    }
  /** A line that a worker wrote. */
  | { event: 'log'; endpoint: string; level: string; message: string }
  /** Something failed, and dev goes on. */
  | { event: 'error'; code: ErrorCode; message: string; hint: string | null }
  | { event: 'stopped'; removed: string[] };
