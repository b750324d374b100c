import { comparePositions } from '../syntax/range.ts';
import type { Finding } from './Finding.ts';

/**
 * Python cannot parse the file. Declarations outside the faulty code are still read.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(name="count"
 * def count(text: str):
 *     """Count words."""
 * ```
 *
 * Fixed:
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
  /** Reports only files that contain the words of a declaration, or that declare something without them. */
  *find({ file, ask, facts, declarations }) {
    const { fault } = facts ?? {};
    if (!fault) return;
    // An argument of Endpoint that is out of order has its own finding, with a fix.
    const { isOrder = false, ...text } = fault;
    const isReported =
      isOrder &&
      declarations.some(
        (one) =>
          one.file === file &&
          one.misplaced.some(({ range }) => comparePositions(range.start, fault.range.start) === 0),
      );
    if (!isReported && (ask.mentions(file) || ask.declared(file) || declarations.length > 0))
      yield { file, ...text };
  },
};
