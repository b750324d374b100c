/** Binds dev's server to the requested port, or the next free one. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ToolkitError } from '../../contract/errors.ts';

/** Number of ports to try, starting at the requested one. */
const TRIES = 20;

/**
 * @returns The bound port.
 * @throws ToolkitError PORT_IN_USE if the requested port and those after it are taken.
 */
export async function listen(server: Server, host: string, requested: number): Promise<number> {
  for (let port = requested; port < Math.min(requested + TRIES, 65_536); port += 1) {
    const bound = await listenOn(server, host, port);
    if (bound !== null) return bound;
  }
  throw new ToolkitError(
    'PORT_IN_USE',
    `Port ${requested} on ${host} and the ${TRIES - 1} ports after it are in use.`,
    { hint: 'Choose another port with --port.' },
  );
}

/** The bound port; null if it is taken. */
function listenOn(server: Server, host: string, port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      server.off('listening', succeed);
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(cannotListen(host, port, error));
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

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): ToolkitError {
  return new ToolkitError('PORT_IN_USE', `The dev server cannot listen on ${host}:${port} (${cause.code}).`, {
    hint: 'Use an address of this machine for --host, and a port above 1023 for --port.',
    cause,
  });
}
