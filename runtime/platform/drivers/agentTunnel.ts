/** Where agents of other machines come in: CONNECT on the platform's own port, with the secret of this platform. */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { AGENT_TUNNEL } from '../../contract/agentProtocol.ts';
import { equalSecrets } from '../auth/secret.ts';
import type { AllowedHosts } from '../http/allowedHosts.ts';
import type { Log } from '../log.ts';

export interface AgentTunnelContext {
  server: Server;
  /** What agents show. */
  secret: string;
  /** The names that workers of these agents can reach the platform by. */
  allowedHosts: AllowedHosts;
  log: Log;
  /** Is given each connection whose secret is right. */
  accept(socket: Duplex): void;
}

/** Lets agents in from now on. */
export function admitAgents({ server, secret, allowedHosts, log, accept }: AgentTunnelContext): void {
  server.on('connect', (request, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (request.url !== AGENT_TUNNEL) {
      refuse(socket, '404 Not Found');
    } else if (!equalSecrets(request.headers.authorization ?? '', `Bearer ${secret}`)) {
      log.warn(
        { from: request.socket.remoteAddress },
        'an agent was refused: the token that it showed is not the one of this platform',
      );
      refuse(socket, '401 Unauthorized');
    } else if (!allowedHosts.has(request.headers.host ?? '')) {
      log.warn(
        { host: request.headers.host },
        'an agent was refused: it dialled a host name that this platform does not have',
      );
      refuse(socket, '403 Forbidden');
    } else {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      if (head.length > 0) socket.unshift(head);
      accept(socket);
    }
  });
}

function refuse(socket: Duplex, status: string): void {
  const answer = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
  socket.end(answer, () => socket.destroy());
}
