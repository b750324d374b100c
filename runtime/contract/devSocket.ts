/**
 * How editor and CLI attach to a dev server: a record in TOOLKIT_HOME says where its socket is. On the socket both sides
 * write one JSON document a line.
 */
import type { DevEvent } from './devEvents.ts';

/** `TOOLKIT_HOME/dev/<run>.json`. A record whose socket nobody answers at is of a dev that crashed. */
export interface DevRecord {
  /** The project's root, absolute. */
  root: string;
  /** Of its live endpoints on the platform. */
  run: string;
  pid: number;
  url: string;
  /** Path of the socket. */
  socket: string;
  /** Folder of the code that was packed for its workers. */
  parts: string;
  /** ISO 8601. */
  startedAt: string;
  /** Whether an editor started it: then it ends without clients, and an editor may stop it. */
  attached: boolean;
}

/** What dev writes: first the event `ready`, then all that happen, and answers to requests. */
export type DevMessage = DevEvent | { event: 'host-allowed'; host: string };

/**
 * What a client writes. `allowHost` is a host name that dev accepts in addition to its own, such as that of a port which
 * the editor forwards; a later one takes its place.
 */
export interface DevRequest {
  allowHost: string;
}
