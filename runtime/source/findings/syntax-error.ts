import type { Finding } from './Finding.ts';

/**
 * Python could not read the file. Declarations that the fault does not touch stay known.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(name="count"
 * def count(text: str):
 *     """Count words."""
 * ```
 *
 * Repaired:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(name="count")
 * def count(text: str):
 *     """Count words."""
 * ```
 */
export const syntaxError: Finding = {
  code: 'syntax-error',
  severity: 'error',
  chapter: 'Files',
  /** Reports files that contain the words of a declaration, and files that add a route to a known instance. */
  *find({ file, ask, facts, declarations }) {
    const { fault } = facts ?? {};
    if (!fault) return;
    const adds = declarations.some(({ routes }) => routes.some((route) => route.file === file));
    if (ask.mentions(file) || adds) yield { file, ...fault };
  },
};
