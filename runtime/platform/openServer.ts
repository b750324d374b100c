/**
 * The platform's main port. It is the previous port if possible, since workers that are still running use it.
 */
import type { Server } from 'node:http';
import { ToolkitError } from '../contract/errors.ts';
import { PLATFORM_LIMITS } from '../contract/limits.ts';
import type { PlatformOptions } from '../contract/platformOptions.ts';
import { Addresses } from './addresses.ts';
import { listenFrom, listenOn } from './http/listen.ts';
import { createPlatformServer, type PlatformServer } from './server.ts';

export interface OpenServer {
  server: PlatformServer;
  port: number;
  addresses: Addresses;
}

/**
 * Starts listening. Requests wait until the routes are attached.
 *
 * @param former The previous port; 0 at the first start.
 * @throws ToolkitError PORT_IN_USE.
 */
export async function openServer(options: PlatformOptions, former: number): Promise<OpenServer> {
  const server = createPlatformServer();
  const port = await listen(server, options, former);
  return { server, port, addresses: new Addresses(options.host, port, options.advertise) };
}

/**
 * Exactly the requested port. If none is requested: the previous port, the default port, or the next free
 * one.
 */
async function listen(server: Server, { port, host }: PlatformOptions, former: number): Promise<number> {
  if (port === null) {
    const kept = former > 0 ? await listenOn(server, host, former) : null;
    return kept ?? (await listenFrom(server, host, PLATFORM_LIMITS.defaultPort));
  }
  // Any free port was requested. Prefer the previous one: workers that are still running use it.
  if (port === 0 && former > 0) {
    const kept = await listenOn(server, host, former);
    if (kept !== null) return kept;
  }
  const bound = await listenOn(server, host, port);
  if (bound !== null) return bound;
  throw new ToolkitError('PORT_IN_USE', `The port ${port} on ${host} is in use by another process.`, {
    hint: 'Stop the program that uses it, or choose another port with --port.',
  });
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
