/** Requests that a client sends before it has the response to the previous one. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Closes a response that waits behind another one when its connection closes. Node 22 closes only the
 * response that is being sent, so the work for the others would continue for nothing.
 */
export function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.socket !== null) return;
  const close = () => {
    // Node 24 has already closed it.
    if (response.socket !== null || response.destroyed) return;
    response.destroy();
    response.emit('close');
  };
  // The request waited until the platform had started, and its client has disconnected since.
  if (socket.destroyed) return close();
  // A client can send any number of requests at once.
  socket.setMaxListeners(0).once('close', close);
  response.once('close', () => socket.off('close', close));
}
