/** Connects to where a worker told that it listens: `http://HOST:PORT` or `unix:/absolute/path`. */
import { connect, type Socket, type SocketConstructorOpts } from 'node:net';

const UNIX = 'unix:';

/** @param address Of a worker that is ready. */
export function connectTo(address: string | null, options: SocketConstructorOpts = {}): Socket {
  if (address?.startsWith(UNIX)) return connect({ path: address.slice(UNIX.length), ...options });
  const { hostname, port } = new URL(address ?? '');
  return connect({ host: hostname, port: Number(port), noDelay: true, ...options });
}
