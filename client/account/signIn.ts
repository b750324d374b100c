/** Sign In and Sign Out: stores a key for a platform other than the embedded one, after checking it. */
import * as vscode from 'vscode';
import { isKey } from '../../runtime/contract/keys.ts';
import type { Core } from '../core/Core.ts';
import type { ShowError } from '../messages/showError.ts';
import type { Keys } from './Keys.ts';
import { platformUrl, setPlatformUrl } from './platformUrl.ts';

/** The services needed for signing in. */
interface SignIn {
  core: Core;
  keys: Keys;
  showError: ShowError;
}

export async function signIn(services: SignIn): Promise<void> {
  const { core, keys, showError } = services;
  const { l10n } = vscode;
  const title = l10n.t('Sign In to a Platform');
  const url = await vscode.window.showInputBox({
    title,
    prompt: l10n.t(
      'Address of the platform. Leave it empty to use the embedded platform, which needs no key.',
    ),
    placeHolder: 'https://platform.example.com',
    value: platformUrl() ?? '',
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || /^https?:\/\/[^/@\s]+(\/|$)/.test(text.trim())
        ? null
        : l10n.t('Write the address as https://host, without a user name.'),
  });
  if (url === undefined) return;
  const platform = url.trim().replace(/\/+$/, '');
  if (platform === '') {
    await setPlatformUrl(null);
    void vscode.window.showInformationMessage(l10n.t('Endpoints will be deployed to the embedded platform.'));
    return;
  }
  const key = await vscode.window.showInputBox({
    title,
    prompt: l10n.t('Key for {0}. It is stored in the secret storage of VS Code.', platform),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) =>
      isKey(text.trim()) ? null : l10n.t('A key contains only ASCII characters, without spaces.'),
  });
  if (key === undefined) return;
  const before = (await keys.all())[platform];
  await keys.store(platform, key.trim());
  try {
    // Clear the key from the environment, which would take precedence over the entered one.
    const options = { project: null, variables: { PLATFORM_API_URL: platform, PLATFORM_API_KEY: '' } };
    const { account } = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: l10n.t('Checking the key…') },
      () => core.call('account', options),
    );
    await setPlatformUrl(platform);
    void vscode.window.showInformationMessage(l10n.t('Signed in to {0} as {1}.', platform, account));
  } catch (error) {
    await (before === undefined ? keys.remove(platform) : keys.store(platform, before));
    await showError(error, { retry: () => signIn(services) });
  }
}

export async function signOut(keys: Keys): Promise<void> {
  const platforms = Object.keys(await keys.all());
  if (platforms.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('You are not signed in to any platform.'));
    return;
  }
  const title = vscode.l10n.t('Sign Out');
  const platform =
    platforms.length === 1 ? platforms[0] : await vscode.window.showQuickPick(platforms, { title });
  if (platform === undefined) return;
  await keys.remove(platform);
  if (platformUrl() === platform) await setPlatformUrl(null);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Signed out of {0}. Its key was deleted.', platform),
  );
}
