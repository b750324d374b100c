/** Shows long work as a progress notification with a Cancel button. */
import * as vscode from 'vscode';

type Progress = vscode.Progress<{ message?: string }>;

export async function withProgress<Result>(
  title: string,
  work: (signal: AbortSignal, progress: Progress) => Promise<Result>,
): Promise<Result> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) => {
    const cancelled = new AbortController();
    if (token.isCancellationRequested) cancelled.abort();
    else token.onCancellationRequested(() => cancelled.abort());
    return work(cancelled.signal, progress);
  });
}
