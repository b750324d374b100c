/** A server process as an editor uses it, for the benchmarks: its responses, publications and memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { createProtocolConnection, type ProtocolConnection } from 'vscode-languageserver/node';
import { EDITOR_MESSAGES } from '../../runtime/contract/editorMessages.ts';

export const SERVER = path.join(import.meta.dirname, '../../dist/server.js');

/** Bundles the null server into a folder, with the same options as the real one. */
export async function buildNullServer(folder: string): Promise<string> {
  const outfile = path.join(folder, 'nullServer.cjs');
  await esbuild.build({
    entryPoints: [path.join(import.meta.dirname, 'nullServer.ts')],
    outfile,
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
  });
  return outfile;
}

export class EditorSession {
  readonly connection: ProtocolConnection;
  readonly #process: ChildProcess;
  #published = Promise.withResolvers<void>();

  private constructor(file: string, flags: readonly string[]) {
    this.#process = spawn(process.execPath, [...flags, file, '--stdio'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.connection = createProtocolConnection(this.#process.stdout!, this.#process.stdin!);
    this.connection.onRequest('client/registerCapability', () => null);
    this.connection.onNotification('textDocument/publishDiagnostics', () => this.#published.resolve());
    this.connection.listen();
  }

  /**
   * Starts a server on a folder. The real server has then read it. With flags it gets a signal after its
   * first response.
   */
  static async start(file: string, folder: string, flags: readonly string[] = []): Promise<EditorSession> {
    const session = new EditorSession(file, flags);
    await session.connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: null,
      workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'bench' }],
      capabilities: {
        textDocument: { hover: { contentFormat: ['markdown'] }, publishDiagnostics: {} },
        workspace: { workspaceFolders: true },
      },
      initializationOptions: { endpointTree: true },
    });
    if (flags.length > 0) session.signal();
    await session.connection.sendNotification('initialized', {});
    if (file === SERVER) await session.settled();
    return session;
  }

  /** Waits until the server has processed all messages. */
  settled(): Promise<unknown> {
    return this.connection.sendRequest(EDITOR_MESSAGES.statistics);
  }

  /** Signals the module that the flags have loaded into the server to begin or end its watch. */
  signal(): void {
    this.#process.kill('SIGUSR2');
  }

  /** Sends a change and waits for its diagnostics. */
  async changeAndSee(params: unknown): Promise<void> {
    this.#published = Promise.withResolvers();
    await this.connection.sendNotification('textDocument/didChange', params);
    await this.#published.promise;
  }

  /** Resident memory, bytes. */
  memory(): number {
    const status = readFileSync(`/proc/${this.#process.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) * 1024;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    await ended;
    this.connection.dispose();
  }
}
