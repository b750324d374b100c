/** Logs of deployed and live endpoints, each followed in its own output channel. */
import * as vscode from 'vscode';
import type { LogLineDocument } from '../../runtime/contract/cliDocuments.ts';
import { ToolkitError } from '../../runtime/contract/errors.ts';
import { LIVE_PREFIX } from '../../runtime/contract/names.ts';
import type { Core } from '../core/Core.ts';
import type { ShowError } from '../messages/showError.ts';
import { type LogChannels, projectPaths } from './LogChannels.ts';

/** Identifies the endpoint's project and environment. */
interface LogOptions {
  /** Path of the project's root. */
  project: string;
  /** Null for the project's default. */
  environment: string | null;
}

interface Followed {
  channel: vscode.OutputChannel;
  /** Stops following; null if it is not being followed. */
  following: AbortController | null;
}

export class EndpointLogs implements vscode.Disposable {
  readonly #core: Core;
  readonly #showError: ShowError;
  readonly #channels: LogChannels;
  readonly #all = new Map<string, Followed>();

  constructor(core: Core, showError: ShowError, channels: LogChannels) {
    this.#channels = channels;
    this.#core = core;
    this.#showError = showError;
  }

  /**
   * Shows the log of an endpoint, and follows it until VS Code or the endpoint ends.
   *
   * @param name - The endpoint's name on the platform; live ones begin with `live-`.
   * @param place - Where it runs, shown in the channel's name.
   */
  show(name: string, place: string, options: LogOptions): void {
    const key = JSON.stringify([name, options.project, options.environment]);
    let followed = this.#all.get(key);
    if (!followed) {
      const channel = this.#channels.open(`${name} (${place})`, options.project);
      followed = { channel, following: null };
      this.#all.set(key, followed);
    }
    followed.channel.show(true);
    if (followed.following === null) void this.#follow(name, followed, options);
  }

  dispose(): void {
    for (const { following } of this.#all.values()) following?.abort();
  }

  async #follow(name: string, followed: Followed, options: LogOptions): Promise<void> {
    const following = new AbortController();
    followed.following = following;
    // The log will be sent from its beginning.
    followed.channel.clear();
    try {
      await this.#core.call('logs', {
        ...options,
        args: [name],
        flags: { follow: true },
        signal: following.signal,
        onLine: (line) => followed.channel.appendLine(format(line)),
        onNote: (note) => followed.channel.appendLine(note),
      });
    } catch (error) {
      if (following.signal.aborted) return;
      if (error instanceof ToolkitError && error.code === 'ENDPOINT_NOT_FOUND') showNoLogs(name);
      else await this.#showError(error);
    } finally {
      followed.following = null;
    }
  }
}

function showNoLogs(name: string): void {
  const declared = name.startsWith(LIVE_PREFIX) ? name.slice(LIVE_PREFIX.length) : name;
  void vscode.window.showInformationMessage(
    vscode.l10n.t('{0} has no logs: it is not deployed, and the dev server has not run it.', declared),
  );
}

function format({ time, level, worker, message }: LogLineDocument): string {
  return `${time} ${level === 'info' ? '' : `${level.toUpperCase()} `}[${worker}] ${projectPaths(message)}`;
}
