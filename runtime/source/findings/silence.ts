/** One file's findings and its comments `# toolkit: ignore[code]` → the findings that are shown. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { IgnoreComment } from '../binder/ignoreComments.ts';

/**
 * Leaves out warnings and hints that a comment in the line of their start names. An error stays and says so: what
 * `check` passes, build and deploy take.
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
