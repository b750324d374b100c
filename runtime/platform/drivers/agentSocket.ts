/**
 * The Unix socket on which the platform listens for its agent. It is in the platform's folder, which is
 * hidden from user code, so user code cannot replace it. Linux only: reads /proc.
 */
import { constants } from 'node:fs';
import { chmod, type FileHandle, open, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';

/**
 * Only one agent connects, and sometimes again. The limit keeps other processes from taking all descriptors.
 */
const MOST_CONNECTIONS = 64;

export class AgentSocket {
  readonly #server: Server;
  readonly #folder: FileHandle;

  private constructor(server: Server, folder: FileHandle) {
    this.#server = server;
    this.#folder = folder;
  }

  /** Listens at a path of any length. Replaces the socket of a platform that has ended. */
  static async open(file: string, accept: (socket: Socket) => void): Promise<AgentSocket> {
    await rm(file, { force: true });
    const folder = await open(path.dirname(file), constants.O_DIRECTORY);
    try {
      const server = createServer(accept);
      server.maxConnections = MOST_CONNECTIONS;
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        // A socket's path is limited to 107 bytes, and TOOLKIT_HOME may be longer.
        server.listen(`/proc/self/fd/${folder.fd}/${path.basename(file)}`, resolve);
      });
      await chmod(file, 0o600);
      return new AgentSocket(server, folder);
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  /** Stops listening and removes the socket's file. Open connections stay open. */
  async close(): Promise<void> {
    this.#server.close();
    await this.#folder.close();
  }
}
