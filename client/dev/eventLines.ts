/** Events of a dev server → lines of its log. */
import * as vscode from 'vscode';
import type { DevMessage } from '../../runtime/contract/devSocket.ts';
import { projectPaths } from '../logs/LogChannels.ts';

type MessageOf<Event extends DevMessage['event']> = Extract<DevMessage, { event: Event }>;

/** Line prefixes that are easy to spot, the same as in a terminal. */
const SIGNS = { done: '✓', changed: '↻', kept: '!', failed: '✗' };

export function eventLines(message: DevMessage): string[] {
  switch (message.event) {
    case 'ready':
      return [
        ...message.routes.map(({ method, path }) => `  ${method.padEnd(6)} ${message.url}${path}`),
        `${SIGNS.done} ${vscode.l10n.t('Ready at {0}', message.url)}`,
      ];
    case 'reload':
      return reloadLines(message);
    case 'provisioned': {
      const { endpoint, hardware, milliseconds, reused } = message;
      const how = reused
        ? vscode.l10n.t('{0} reused from a dev server that crashed', endpoint)
        : vscode.l10n.t('{0} provisioned in {1}', endpoint, duration(milliseconds));
      return [`${SIGNS.done} ${how} · ${hardware}`];
    }
    case 'request': {
      const { method, path, status, milliseconds, where } = message;
      return [`${method} ${path} ${status} · ${duration(milliseconds)}${where ? ` · ${where}` : ''}`];
    }
    case 'log':
      return [`${message.endpoint} | ${projectPaths(message.message)}`];
    case 'error':
      return [`${SIGNS.failed} ${message.message}`, ...(message.hint ? [`  ${message.hint}`] : [])];
    case 'stopped':
      return [
        message.removed.length === 0
          ? vscode.l10n.t('The dev server stopped; no live endpoints to remove.')
          : vscode.l10n.t('The dev server stopped; removed {0}.', message.removed.join(', ')),
      ];
    case 'host-allowed':
      return [];
  }
}

function reloadLines(message: MessageOf<'reload'>): string[] {
  const { updated, recovered, added, removed, kept, milliseconds } = message;
  const parts = [
    ...(updated.length > 0 ? [vscode.l10n.t('updated {0}', updated.join(', '))] : []),
    ...(recovered.length > 0 ? [vscode.l10n.t('{0} up to date again', recovered.join(', '))] : []),
    ...(added.length > 0 ? [vscode.l10n.t('added {0}', added.join(', '))] : []),
    ...(removed.length > 0 ? [vscode.l10n.t('removed {0}', removed.join(', '))] : []),
  ];
  const failures = kept.map(({ endpoint, message, serves, retried }) => {
    const state = serves
      ? vscode.l10n.t('{0} still serves its last good version', endpoint)
      : vscode.l10n.t('{0} cannot be served', endpoint);
    const again = retried ? ` ${vscode.l10n.t('Retrying.')}` : '';
    return `${SIGNS.kept} ${state}: ${message.split('\n', 1)[0]}${again}`;
  });
  const changes = `${SIGNS.changed} ${parts.join('; ')} · ${duration(milliseconds)}`;
  return [...(parts.length > 0 ? [changes] : []), ...failures];
}

function duration(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}
