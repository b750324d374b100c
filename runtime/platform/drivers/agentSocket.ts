/**
 * Where the platform listens for its agent: a Unix socket in its own folder. User code cannot put another socket there,
 * since the folder is hidden from it. Linux only: it reads /proc.
 */
import { constants } from 'node:fs';
import { chmod, type FileHandle, open, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';

/** One agent dials, and now and then again; whatever else connects shall not take all descriptors. */
const MOST_CONNECTIONS = 64;

export class AgentSocket {
  readonly #server: Server;
  readonly #folder: FileHandle;

  private constructor(server: Server, folder: FileHandle) {
    this.#server = server;
    this.#folder = folder;
  }

  /** Listens at a path of any length, in place of a platform that has ended. */
  static async open(file: string, accept: (socket: Socket) => void): Promise<AgentSocket> {
    await rm(file, { force: true });
    const folder = await open(path.dirname(file), constants.O_DIRECTORY);
    try {
      const server = createServer(accept);
      server.maxConnections = MOST_CONNECTIONS;
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        // The path of a socket may have 107 bytes, and that of TOOLKIT_HOME any number.
        server.listen(`/proc/self/fd/${folder.fd}/${path.basename(file)}`, resolve);
      });
      await chmod(file, 0o600);
      return new AgentSocket(server, folder);
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  /** Stops listening, and removes the socket's file; connections go on. */
  async close(): Promise<void> {
    this.#server.close();
    await this.#folder.close();
  }
}
