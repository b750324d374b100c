/**
 * Forwards one request to a worker. Sends it again on a new connection if a kept one turned out to be closed.
 */
import type { Connections } from './connections.ts';
import { type Forwarding, Passage } from './passage.ts';
import type { WorkerConnection } from './workerConnection.ts';

/**
 * Forwards a request. Resolves when the response was sent.
 *
 * @throws ToolkitError if no response was sent yet: PAYLOAD_TOO_LARGE, CALL_TIMEOUT, FUNCTION_TIMEOUT,
 * CALL_FAILED; WorkerLost, WorkerNotReached.
 */
export async function forward(forwarding: Forwarding, connections: Connections): Promise<void> {
  const { slot, upgrade } = forwarding;
  const { worker } = slot;
  if (upgrade) return void (await send(forwarding, connections.openStream(worker)));
  const isDone = await send(forwarding, connections.take(worker));
  if (!isDone) await send(forwarding, connections.open(worker));
}

/** @returns False if a kept connection turned out to be closed and the request can be sent again. */
function send(forwarding: Forwarding, connection: WorkerConnection): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const passage = new Passage(forwarding, connection, resolve, reject);
    connection.begin(forwarding.incoming.method ?? '', passage);
  });
}
