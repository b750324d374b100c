import type { Finding } from './Finding.ts';

/**
 * A build cannot use a requirement. The requirement is in `requirements.txt`, in a file that it includes, in
 * `[project] dependencies` of `pyproject.toml`, or in an extra that `-e .[extra]` names. The same code is reported for a
 * `requires-python` that does not allow the chosen Python.
 *
 * ```python
 * # requirements.txt
 * requests=>2.31
 * -e ../shared
 *
 * # worker.py
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * def count(text: str):
 *     """Count words."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * # requirements.txt
 * requests>=2.31
 * --find-links wheels
 * shared
 *
 * # worker.py
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * def count(text: str):
 *     """Count words."""
 * ```
 */
export const invalidRequirement: Finding = {
  code: 'invalid-requirement',
  severity: 'error',
  chapter: 'Imports and packages',
  find: ({ file, ask }) => ask.faultyLines(file),
};
