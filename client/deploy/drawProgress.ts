/** Progress of the core → a progress notification, and the log in full. */
import * as vscode from 'vscode';
import type { ProgressEvent, ReportProgress } from '../../runtime/contract/progress.ts';

export function drawProgress(
  progress: vscode.Progress<{ message?: string }>,
  log: vscode.LogOutputChannel,
): ReportProgress {
  let stage = '';
  return (event) => {
    if (event.type === 'stage' && event.state === 'started') stage = event.stage;
    const message = messageOf(event);
    if (message === null) return;
    progress.report({ message: stage === '' || message === stage ? message : `${stage}: ${message}` });
    if (event.type === 'warning') log.warn(message);
    else if (event.type !== 'bytes') log.info(message);
  };
}

/** Null for an event that only ends something. */
function messageOf(event: ProgressEvent): string | null {
  switch (event.type) {
    case 'stage':
      return event.state === 'started' ? event.stage : null;
    case 'step':
    case 'warning':
      return event.message;
    case 'endpoint':
      return `${event.endpoint} ${endpointState(event.state)}`;
    case 'bytes': {
      const { label, done, total } = event;
      return total === null || total === 0 ? label : `${label} ${Math.floor((done / total) * 100)} %`;
    }
  }
}

function endpointState(state: Extract<ProgressEvent, { type: 'endpoint' }>['state']): string {
  const { l10n } = vscode;
  const states = {
    starting: l10n.t('is starting'),
    ready: l10n.t('is ready'),
    failed: l10n.t('failed'),
    removed: l10n.t('was removed'),
  };
  return states[state];
}
