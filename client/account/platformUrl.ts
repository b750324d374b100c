/** The setting `toolkit.platformUrl`. Only the user can set it: a folder that could set it could redirect keys. */
import * as vscode from 'vscode';

/** Null for the embedded platform, unless the environment or a project's `.env` sets another one. */
export function platformUrl(): string | null {
  const url = vscode.workspace.getConfiguration('toolkit').get<string>('platformUrl', '').trim();
  return url === '' ? null : url.replace(/\/+$/, '');
}

export async function setPlatformUrl(url: string | null): Promise<void> {
  const value = url ?? undefined;
  await vscode.workspace
    .getConfiguration('toolkit')
    .update('platformUrl', value, vscode.ConfigurationTarget.Global);
}
