/** What `toolkit dev` reports while it runs: the lines of `dev --json`, which the terminal also draws. */
import type { ErrorCode } from './errors.ts';

/** One path of the dev server. */
export interface DevPath {
  path: string;
  method: string;
  type: 'queue' | 'load-balanced';
  /** First line of the function's docstring, or null. */
  description: string | null;
}

/** An endpoint that does not serve its newest code. */
export interface KeptEndpoint {
  endpoint: string;
  code: ErrorCode;
  message: string;
  /** Whether an earlier version serves. */
  serves: boolean;
  /** Whether dev retries by itself, because the platform failed and not the code. */
  retried: boolean;
}

export type DevEvent =
  /** The server is ready. `token` is null unless other machines can connect. */
  | { event: 'ready'; url: string; token: string | null; routes: DevPath[] }
  /**
   * A save was applied. `updated` endpoints serve their new version. `recovered` endpoints serve their newest
   * code again. Those in `kept` do not. Also emitted at the start if there are errors in the code.
   */
  | {
      event: 'reload';
      updated: string[];
      recovered: string[];
      added: string[];
      removed: string[];
      kept: KeptEndpoint[];
      /** Since the save was detected. */
      milliseconds: number;
    }
  /**
   * An endpoint serves for the first time. `hardware` is as the platform describes it. `reused`: it was left
   * by a dev that crashed.
   */
  | { event: 'provisioned'; endpoint: string; hardware: string; milliseconds: number; reused: boolean }
  /** A response was sent. `where` is the endpoint and its hardware, null if the request reached none. */
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
  /** Something failed, and dev continues. */
  | { event: 'error'; code: ErrorCode; message: string; hint: string | null }
  | { event: 'stopped'; removed: string[] };
