/** Makes a run of dev discoverable by the editor and the CLI: its socket, and its record in TOOLKIT_HOME. */
import type { DevEvent } from '../../contract/devEvents.ts';
import { DevSocket } from './DevSocket.ts';
import { removeDevRecord, socketPath, tidyDevRecords, writeDevRecord } from './devRecords.ts';

interface Attachable {
  toolkitHome: string;
  /** The project's root. */
  root: string;
  /** The run's id on the platform. */
  run: string;
  /** Folder that is left behind if the run is killed. */
  parts: string;
  /** Called when no client has been attached for a while; null if none is needed. */
  abandoned: (() => void) | null;
}

export class Attachment {
  readonly #of: Attachable;
  readonly #path: string;
  readonly #socket: DevSocket;

  private constructor(of: Attachable, path: string, socket: DevSocket) {
    this.#of = of;
    this.#path = path;
    this.#socket = socket;
  }

  /** Starts listening, and removes leftovers of crashed dev servers. */
  static async open(of: Attachable): Promise<Attachment> {
    await tidyDevRecords(of.toolkitHome);
    const path = socketPath(of.toolkitHome, of.run);
    return new Attachment(of, path, await DevSocket.open(path, of.abandoned));
  }

  /** The host that a client has registered. */
  get externalHost(): string | null {
    return this.#socket.externalHost;
  }

  publish(event: DevEvent): void {
    this.#socket.publish(event);
  }

  /** Writes the record, once dev serves at `url`. */
  async announce(url: string): Promise<void> {
    const { toolkitHome, root, run, parts, abandoned } = this.#of;
    await writeDevRecord(toolkitHome, {
      root,
      run,
      pid: process.pid,
      url,
      socket: this.#path,
      parts,
      startedAt: new Date().toISOString(),
      attached: abandoned !== null,
    });
  }

  async close(): Promise<void> {
    await removeDevRecord(this.#of.toolkitHome, this.#of.run);
    await this.#socket.close();
  }
}
