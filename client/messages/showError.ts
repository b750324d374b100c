/** Shows a failure as one message with buttons that fix it. */
import * as vscode from 'vscode';
import { type ErrorCode, ToolkitError } from '../../runtime/contract/errors.ts';

interface ErrorOptions {
  /** What failed; shown before the reason. */
  what?: string;
  /** Path of the project's root. */
  root?: string;
  /** Repeats the failed operation. */
  retry?: () => unknown;
}

export type ShowError = (error: unknown, options?: ErrorOptions) => Promise<void>;

interface Fix {
  title: string;
  run: () => unknown;
}

/** Codes of errors after which a retry can succeed. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'DEPLOY_CONFLICT',
  'DISK_FULL',
  'DOWNLOAD_FAILED',
  'DRAINING',
  // The installer is downloaded from the network.
  'INSTALLER_MISSING',
  'INTERNAL',
  'NOT_WRITABLE',
  'PART_MISSING',
  'PLATFORM_FAILED',
  'PLATFORM_START_FAILED',
  'PLATFORM_UNREACHABLE',
  'PORT_IN_USE',
  'PROJECT_CONFIG',
  'RATE_LIMITED',
  'STORAGE_FULL',
]);

/** @param log - Receives every error in full. */
export function showErrorWith(log: vscode.LogOutputChannel): ShowError {
  return (error, options = {}) => {
    if (!(error instanceof ToolkitError)) throw error;
    if (error.code !== 'INTERRUPTED') log.error([error.message, error.hint].filter(Boolean).join('\n'));
    return showError(error, options);
  };
}

/** A cancelled operation is shown as information, not as an error. */
async function showError(error: ToolkitError, { what, root, retry }: ErrorOptions): Promise<void> {
  const { code, message, hint } = error;
  if (code === 'INTERRUPTED') {
    void vscode.window.showInformationMessage(message);
    return;
  }
  const own = fixesOf(code, root);
  const fixes = [...own];
  if (retry && TRANSIENT.has(code)) fixes.unshift({ title: vscode.l10n.t('Try Again'), run: retry });
  if (fixes.length === 0) fixes.push(command(vscode.l10n.t('Show Details'), 'toolkit.showLog'));
  // A hint is for a terminal. Leave it out if a button applies the fix.
  const text = [message.split('\n', 1)[0], own.length > 0 ? null : hint].filter(Boolean).join(' ');
  const shown = what === undefined ? text : `${what}: ${text}`;
  const chosen = await vscode.window.showErrorMessage(shown, ...fixes.map(({ title }) => title));
  await fixes.find(({ title }) => title === chosen)?.run();
}

/** Fixes for an error code, the most likely one first. */
function fixesOf(code: ErrorCode, root: string | undefined): Fix[] {
  const { l10n } = vscode;
  const details = command(l10n.t('Show Details'), 'toolkit.showLog');
  const project = root && { root: vscode.Uri.file(root).toString() };
  switch (code) {
    case 'PYTHON_NOT_FOUND':
    case 'PYTHON_UNSUPPORTED':
      return [command(l10n.t('Select Python'), 'toolkit.selectPython', project)];
    case 'QUOTA_EXCEEDED':
      return [command(l10n.t('Undeploy'), 'toolkit.undeploy', project)];
    case 'KEY_MISSING':
    case 'KEY_REJECTED':
    case 'KEY_WITHHELD':
      return [command(l10n.t('Sign In'), 'toolkit.signIn'), ...openFile(root, '.env')];
    case 'ENV_MISSING':
    case 'PLATFORM_UNREACHABLE':
      return openFile(root, '.env');
    case 'PROJECT_CONFIG':
      return openFile(root, 'pyproject.toml');
    case 'PROJECT_HAS_ERRORS':
      return [command(l10n.t('Show Problems'), 'workbench.actions.view.problems')];
    case 'PORT_IN_USE':
      return [command(l10n.t('Change Port'), 'workbench.action.openSettings', 'toolkit.dev.port')];
    case 'NO_ENDPOINTS':
      return [command(l10n.t('Get Started'), 'toolkit.openWalkthrough')];
    case 'ROLLOUT_FAILED':
    case 'DEPENDENCY_UNRESOLVED':
    case 'DEPENDENCY_NO_WHEEL':
    case 'DEPENDENCY_CONFLICT':
      return [details];
    case 'INTERNAL':
      return [details, command(l10n.t('Report Issue'), 'toolkit.reportIssue')];
    default:
      return [];
  }
}

function command(title: string, id: string, ...args: unknown[]): Fix {
  return { title, run: () => vscode.commands.executeCommand(id, ...args) };
}

/** Opens a file of the project. A missing file is opened as a new document with that path. */
function openFile(root: string | undefined, name: string): Fix[] {
  if (root === undefined) return [];
  const uri = vscode.Uri.joinPath(vscode.Uri.file(root), name);
  const run = async () => {
    const document = await vscode.workspace
      .openTextDocument(uri)
      .then(undefined, () => vscode.workspace.openTextDocument(uri.with({ scheme: 'untitled' })));
    await vscode.window.showTextDocument(document);
  };
  return [{ title: vscode.l10n.t('Open {0}', name), run }];
}
