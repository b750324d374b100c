/** One file's findings and its comments `# toolkit: ignore[code]` → the findings that are shown. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { IgnoreComment } from '../binder/ignoreComments.ts';

/**
 * Removes warnings and hints whose code is named by a comment on their first line. Errors stay, and their fix
 * says that they cannot be silenced: a project that passes `check` can be built and deployed.
 */
export function silence(findings: readonly Diagnostic[], ignores: readonly IgnoreComment[]): Diagnostic[] {
  return findings.flatMap((found) => {
    const named = ignores.some(
      ({ line, codes }) => line === found.range.start.line && codes.includes(found.code),
    );
    if (!named) return [found];
    if (found.severity !== 'error') return [];
    const fix = [found.fix, 'A comment cannot silence an error.'].filter((part) => part !== null).join(' ');
    return [{ ...found, fix }];
  });
}
