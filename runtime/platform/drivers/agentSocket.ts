/** Where the platform listens for its agent: a Unix socket that only this user can connect to. */
import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AGENT_FILES } from '../../contract/agentProtocol.ts';
import { ToolkitError } from '../../contract/errors.ts';

/** Bytes of a socket's path that every system takes. */
const LONGEST_SOCKET = 100;
/** Begins the names of folders that are made for a socket alone. */
const TEMPORARY = 'toolkit-agent-';

/** In the platform's folder; in a folder of its own for temporary files where that is too long a path for a socket. */
export function agentSocketPath(folder: string): string {
  const own = path.join(folder, AGENT_FILES.socket);
  if (Buffer.byteLength(own) <= LONGEST_SOCKET) return own;
  const id = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return path.join(tmpdir(), `${TEMPORARY}${id}`, AGENT_FILES.socket);
}

export class AgentSocket {
  readonly #server: Server;
  readonly #folder: string;

  private constructor(server: Server, folder: string) {
    this.#server = server;
    this.#folder = folder;
  }

  /**
   * Listens at a path, in place of a platform that has ended.
   *
   * @throws ToolkitError PLATFORM_START_FAILED when the path's folder is somebody else's.
   */
  static async open(file: string, accept: (socket: Socket) => void): Promise<AgentSocket> {
    const folder = path.dirname(file);
    if (isTemporary(folder)) await ensurePrivate(folder);
    await rm(file, { force: true });
    const server = createServer(accept);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(file, resolve);
    });
    await chmod(file, 0o600);
    return new AgentSocket(server, folder);
  }

  /** Stops listening, and removes the socket's file; connections go on. */
  async close(): Promise<void> {
    this.#server.close();
    if (isTemporary(this.#folder)) await rm(this.#folder, { recursive: true, force: true });
  }
}

function isTemporary(folder: string): boolean {
  return path.basename(folder).startsWith(TEMPORARY);
}

/** In the folder for temporary files others could have made it before. */
async function ensurePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = await lstat(folder);
  if (uid === process.getuid?.() && (mode & 0o777) === 0o700) return;
  throw new ToolkitError('PLATFORM_START_FAILED', `The folder ${folder} is not this user's alone.`, {
    hint: 'Remove it, or set TOOLKIT_HOME to a shorter path.',
  });
}
