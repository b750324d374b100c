/** Accepts agents on other machines: CONNECT on the platform's own port, with the platform's secret. */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { AGENT_TUNNEL, STREAM_HEADER } from '../../contract/agentProtocol.ts';
import { equalSecrets } from '../auth/secret.ts';
import type { AllowedHosts } from '../http/allowedHosts.ts';
import type { Log } from '../log.ts';

const ACCEPTED = 'HTTP/1.1 200 OK\r\n\r\n';

export interface AgentTunnelContext {
  server: Server;
  /** The secret that agents send. */
  secret: string;
  /** The host names by which the workers of these agents can reach the platform. */
  allowedHosts: AllowedHosts;
  log: Log;
  /** Gets each connection of an agent that sent the right secret. */
  accept(socket: Duplex): void;
  /** Gets each connection of a worker likewise; false if no stream with this number is awaited. */
  carry(stream: string, socket: Duplex): boolean;
}

/** Accepts agents from now on. */
export function admitAgents({ server, secret, allowedHosts, log, accept, carry }: AgentTunnelContext): void {
  server.on('connect', (request, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (request.url !== AGENT_TUNNEL) {
      refuse(socket, '404 Not Found');
    } else if (!equalSecrets(request.headers.authorization ?? '', `Bearer ${secret}`)) {
      log.warn(
        { from: request.socket.remoteAddress },
        'an agent was refused: its token does not belong to this platform',
      );
      refuse(socket, '401 Unauthorized');
    } else if (!allowedHosts.has(request.headers.host ?? '')) {
      log.warn(
        { host: request.headers.host },
        'an agent was refused: it used a host name that this platform does not have',
      );
      refuse(socket, '403 Forbidden');
    } else {
      if (head.length > 0) socket.unshift(head);
      const stream = request.headers[STREAM_HEADER];
      if (stream === undefined) {
        socket.write(ACCEPTED);
        accept(socket);
      } else if (carry(String(stream), socket)) {
        // Data for the worker follows in a later turn of the event loop.
        socket.write(ACCEPTED);
      } else {
        log.warn(
          { from: request.socket.remoteAddress },
          'a stream was refused: no stream with this number is awaited',
        );
        refuse(
          socket,
          '404 Not Found',
          'No stream with this number is awaited. A number is valid once, for a few seconds.\n',
        );
      }
    }
  });
}

function refuse(socket: Duplex, status: string, why = ''): void {
  const headers = `Connection: close\r\nContent-Type: text/plain\r\nContent-Length: ${why.length}`;
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${why}`, () => socket.destroy());
}
