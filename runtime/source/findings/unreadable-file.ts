import type { Finding } from './Finding.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you have no permission to read it',
  EPERM: 'you have no permission to read it',
  ENOENT: 'it is a broken symbolic link',
  ELOOP: 'it is a symbolic link to itself',
  EIO: 'the disk could not read it',
};

/**
 * A file cannot be opened, or its bytes are not valid in the encoding that it declares (UTF-8 when it
 * declares none).
 *
 * ```sh
 * printf '# caf\351\nfrom toolkit_sdk import Endpoint\n' > worker.py
 * ```
 *
 * Fixed:
 *
 * ```sh
 * printf '# caf\303\251\nfrom toolkit_sdk import Endpoint\n' > worker.py
 * ```
 */
export const unreadableFile: Finding = {
  code: 'unreadable-file',
  severity: 'error',
  chapter: 'Files',
  *find({ file, ask }) {
    const why = ask.unreadable(file);
    if (!why) return;
    const start = { line: 'fault' in why ? why.line : 0, character: 0 };
    const range = { start, end: start };
    if ('fault' in why) {
      yield { file, range, message: why.fault, fix: why.fix };
      return;
    }
    const reason = REASONS[why.code] ?? `the system reported ${why.code}`;
    const message = `${file} cannot be opened: ${reason}.`;
    yield { file, range, message, fix: 'Make it readable, remove it, or list it in .toolkitignore.' };
  },
};
