/** Every failure as one message with a button that repairs it. */
import * as vscode from 'vscode';
import { type ErrorCode, ToolkitError } from '../../runtime/contract/errors.ts';

/** What a button does: a command with its arguments. */
interface Repair {
  title: string;
  command: string;
  args?: unknown[];
}

interface ErrorOptions {
  /** Does the same once more; offered where that may help. */
  retry?: () => unknown;
}

/** Codes after which the same may succeed. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'DOWNLOAD_FAILED',
  'PLATFORM_UNREACHABLE',
  'PLATFORM_START_FAILED',
  'PLATFORM_FAILED',
  'DEPLOY_CONFLICT',
  'DRAINING',
  'DISK_FULL',
  'NOT_WRITABLE',
  'INTERNAL',
]);

export type ShowError = (error: unknown, options?: ErrorOptions) => Promise<void>;

/** @param log - Has every error in full. */
export function showErrorWith(log: vscode.LogOutputChannel): ShowError {
  return (error, options = {}) => {
    if (!(error instanceof ToolkitError)) throw error;
    if (error.code !== 'INTERRUPTED') log.error([error.message, error.hint].filter(Boolean).join('\n'));
    return showError(error, options);
  };
}

/** A cancelled operation is information, not an error. */
async function showError({ code, message, hint }: ToolkitError, { retry }: ErrorOptions): Promise<void> {
  if (code === 'INTERRUPTED') {
    void vscode.window.showInformationMessage(message);
    return;
  }
  const repairs = repairsOf(code);
  const again = vscode.l10n.t('Try Again');
  const canRetry = retry !== undefined && TRANSIENT.has(code);
  const buttons = [...(canRetry ? [again] : []), ...repairs.map(({ title }) => title)];
  // The hint of a repair that has a button says what to type in a terminal.
  const firstLine = message.split('\n', 1)[0]!;
  const text = hint === null || repairs.length > 0 ? firstLine : `${firstLine} ${hint}`;
  const chosen = await vscode.window.showErrorMessage(text, ...buttons);
  if (chosen === again) await retry?.();
  const repair = repairs.find(({ title }) => title === chosen);
  if (repair) await vscode.commands.executeCommand(repair.command, ...(repair.args ?? []));
}

function repairsOf(code: ErrorCode): Repair[] {
  const { l10n } = vscode;
  switch (code) {
    case 'PYTHON_NOT_FOUND':
    case 'PYTHON_UNSUPPORTED':
      return [{ title: l10n.t('Select Python'), command: 'toolkit.selectPython' }];
    case 'KEY_MISSING':
    case 'KEY_REJECTED':
      return [{ title: l10n.t('Sign In'), command: 'toolkit.signIn' }];
    case 'PROJECT_HAS_ERRORS':
      return [{ title: l10n.t('Show Problems'), command: 'workbench.actions.view.problems' }];
    case 'NO_ENDPOINTS':
      return [{ title: l10n.t('Get Started'), command: 'toolkit.openWalkthrough' }];
    case 'ROLLOUT_FAILED':
    case 'DEPENDENCY_UNRESOLVED':
    case 'DEPENDENCY_NO_WHEEL':
    case 'DEPENDENCY_CONFLICT':
      return [{ title: l10n.t('Show Details'), command: 'toolkit.showLog' }];
    case 'INTERNAL':
      return [
        { title: l10n.t('Show Details'), command: 'toolkit.showLog' },
        { title: l10n.t('Report Issue'), command: 'toolkit.reportIssue' },
      ];
    default:
      return [];
  }
}
