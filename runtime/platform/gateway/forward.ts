/** Sends one request on to a worker, once more on a fresh connection when a kept one turned out to be closed. */
import type { Connections } from './connections.ts';
import { type Forwarding, Passage } from './passage.ts';
import type { WorkerConnection } from './workerConnection.ts';

/**
 * Forwards a request; resolves when its answer was sent.
 *
 * @throws ToolkitError while nothing was answered: PAYLOAD_TOO_LARGE, CALL_TIMEOUT, FUNCTION_TIMEOUT, CALL_FAILED;
 *   WorkerLost, WorkerNotReached.
 */
export async function forward(forwarding: Forwarding, connections: Connections): Promise<void> {
  const { worker } = forwarding;
  const isDone = await send(forwarding, connections.take(worker));
  if (!isDone) await send(forwarding, connections.open(worker));
}

/** @returns False when a kept connection turned out to be closed and the request may be sent again. */
function send(forwarding: Forwarding, connection: WorkerConnection): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const passage = new Passage(forwarding, connection, resolve, reject);
    connection.begin(forwarding.incoming.method ?? '', passage);
  });
}
