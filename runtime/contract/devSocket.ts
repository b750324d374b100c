/**
 * How editor and CLI attach to a dev server. A record in TOOLKIT_HOME contains the path of its socket. On the
 * socket each side writes one JSON document per line.
 */
import type { DevEvent } from './devEvents.ts';

/** `TOOLKIT_HOME/dev/<run>.json`. If nothing responds on the socket of a record, its dev has crashed. */
export interface DevRecord {
  /** The project's root, absolute. */
  root: string;
  /** The run that owns its live endpoints on the platform. */
  run: string;
  pid: number;
  url: string;
  /** Path of the socket. */
  socket: string;
  /** Folder with the code packed for its workers. */
  parts: string;
  /** ISO 8601. */
  startedAt: string;
  /** Whether an editor started it. If so, it ends when it has no clients, and an editor can stop it. */
  attached: boolean;
}

/** What dev sends: the event `ready` first, then every event as it happens, and responses to requests. */
export type DevMessage = DevEvent | { event: 'host-allowed'; host: string };

/**
 * What a client sends. `allowHost` is a host name that dev accepts in addition to its own, such as that of a
 * port which the editor forwards. It replaces the previous one.
 */
export interface DevRequest {
  allowHost: string;
}
