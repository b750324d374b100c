/** Binds dev's server to a port: the wished one, or the next free one. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ToolkitError } from '../../contract/errors.ts';

/** How many ports are tried from the wished one on. */
const TRIES = 20;

/**
 * @returns The port.
 * @throws ToolkitError PORT_IN_USE when the wished port and those after it are taken.
 */
export async function listen(server: Server, host: string, wished: number): Promise<number> {
  for (let port = wished; port < Math.min(wished + TRIES, 65_536); port += 1) {
    const bound = await listenOn(server, host, port);
    if (bound !== null) return bound;
  }
  throw new ToolkitError(
    'PORT_IN_USE',
    `The address ${host}:${wished} is in use, and so are the ${TRIES - 1} ports after it.`,
    { hint: 'Use --port <other>.' },
  );
}

/** Null when the port is taken. */
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
  return new ToolkitError('PORT_IN_USE', `Dev cannot listen on ${host}:${port} (${cause.code}).`, {
    hint: 'Use --host with an address of this machine, and --port above 1023.',
    cause,
  });
}
