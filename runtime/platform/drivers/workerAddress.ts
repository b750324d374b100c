/**
 * Connects to the address that a worker on this machine has reported: `http://HOST:PORT` or
 * `unix:/absolute/path`.
 */
import { connect, type Socket, type SocketConstructorOpts } from 'node:net';

const UNIX = 'unix:';
/** Size of one read. */
const READ_BYTES = 16_384;

/** @param onData See WorkerDriver. */
export function connectTo(address: string, onData?: (bytes: Buffer) => void): Socket {
  const options = onData ? { onread: lend(onData) } : {};
  if (address.startsWith(UNIX)) return connect({ path: address.slice(UNIX.length), ...options });
  const { hostname, port } = new URL(address);
  return connect({ host: hostname, port: Number(port), noDelay: true, ...options });
}

/** All reads share one buffer: allocating a buffer per read costs more than processing the data. */
function lend(onData: (bytes: Buffer) => void): NonNullable<SocketConstructorOpts['onread']> {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  const callback = (length: number) => {
    onData(buffer.subarray(0, length));
    return true;
  };
  return { buffer, callback };
}
