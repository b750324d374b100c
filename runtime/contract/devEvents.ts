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

/** An endpoint that does not serve what is written. */
export interface KeptEndpoint {
  endpoint: string;
  code: ErrorCode;
  message: string;
  /** Whether a version before it answers. */
  serves: boolean;
  /** Whether dev tries again by itself: the platform failed, not the code. */
  retried: boolean;
}

export type DevEvent =
  /** The server answers. `token` is needed where others than this machine can connect, else null. */
  | { event: 'ready'; url: string; token: string | null; routes: DevPath[] }
  /**
   * A save was taken over. `updated` endpoints serve their new version, `recovered` ones serve what is written again, and
   * those in `kept` do not. Also emitted for the mistakes that are there at the start.
   */
  | {
      event: 'reload';
      updated: string[];
      recovered: string[];
      added: string[];
      removed: string[];
      kept: KeptEndpoint[];
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
