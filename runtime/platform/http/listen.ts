/** Binds a server to a port: a requested one, or the first free one from a number on. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ToolkitError } from '../../contract/errors.ts';

/** How many ports are tried. */
const TRIES = 2_000;

/**
 * Listens on exactly this port (0: any free one).
 *
 * @returns the port, or null if it is in use.
 */
export function listenOn(server: Server, host: string, port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      server.off('listening', succeed);
      if ('code' in error && error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    };
    const succeed = () => {
      server.off('error', fail);
      resolve((server.address() as AddressInfo).port);
    };
    server.once('error', fail);
    server.once('listening', succeed);
    server.listen(port, host);
  });
}

/**
 * Listens on the first free port from `first` on.
 *
 * @param taken Reserved ports, even if nothing listens there.
 * @throws ToolkitError PORT_IN_USE if none of these ports is free.
 */
export async function listenFrom(
  server: Server,
  host: string,
  first: number,
  taken: ReadonlySet<number> = new Set(),
): Promise<number> {
  for (let port = first; port < Math.min(first + TRIES, 65_536); port += 1) {
    if (!taken.has(port) && (await listenOn(server, host, port)) !== null) return port;
  }
  throw new ToolkitError('PORT_IN_USE', `No free port was found on ${host}, starting from ${first}.`, {
    hint: 'Stop the programs that use these ports, or choose another port with --port.',
  });
}
