/** Where agents of other machines come in: CONNECT on the platform's own port, with the secret of this platform. */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { AGENT_TUNNEL } from '../../contract/agentProtocol.ts';
import { equalSecrets } from '../auth/secret.ts';
import type { Log } from '../log.ts';

/**
 * Lets agents in from now on.
 *
 * @param token What they have to show, as a bearer's.
 * @param accept Is given each connection whose secret is right.
 */
export function admitAgents(server: Server, token: string, log: Log, accept: (socket: Duplex) => void): void {
  server.on('connect', (request, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (request.url !== AGENT_TUNNEL) {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    } else if (!equalSecrets(request.headers.authorization ?? '', `Bearer ${token}`)) {
      log.warn(
        { from: request.socket.remoteAddress },
        'an agent was refused: the token that it showed is not the one of this platform',
      );
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    } else {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      if (head.length > 0) socket.unshift(head);
      accept(socket);
    }
  });
}
