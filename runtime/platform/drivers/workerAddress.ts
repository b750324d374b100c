/** Connects to where a worker of this machine told that it listens: `http://HOST:PORT` or `unix:/absolute/path`. */
import { connect, type Socket, type SocketConstructorOpts } from 'node:net';

const UNIX = 'unix:';
/** What is read at once. */
const READ_BYTES = 16_384;

/** @param onData See WorkerDriver. */
export function connectTo(address: string, onData?: (bytes: Buffer) => void): Socket {
  const options = onData ? { onread: lend(onData) } : {};
  if (address.startsWith(UNIX)) return connect({ path: address.slice(UNIX.length), ...options });
  const { hostname, port } = new URL(address);
  return connect({ host: hostname, port: Number(port), noDelay: true, ...options });
}

/** Every read goes into one buffer: allocating one per read would cost more than processing the data. */
function lend(onData: (bytes: Buffer) => void): NonNullable<SocketConstructorOpts['onread']> {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  const callback = (length: number) => {
    onData(buffer.subarray(0, length));
    return true;
  };
  return { buffer, callback };
}
