/** Requests that a client sends before the answer to the one before. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Lets a response that waits behind another one close with its connection. Node 22 closes only the one that is being sent, so
 * that work for the others would go on for nobody.
 */
export function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.socket !== null) return;
  const close = () => {
    // Node 24 has done so, as for the response that is being sent.
    if (response.socket !== null || response.destroyed) return;
    response.destroy();
    response.emit('close');
  };
  // The request waited for a platform that started, and its client did not.
  if (socket.destroyed) return close();
  // As many as the client sends at once.
  socket.setMaxListeners(0).once('close', close);
  response.once('close', () => socket.off('close', close));
}
