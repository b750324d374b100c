import type { Finding } from './Finding.ts';

/**
 * A line of `requirements.txt`, or of a file that it includes, cannot be used by a build, or an entry of `[project]
 * dependencies` in `pyproject.toml` is not a valid requirement.
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
 * shared @ file:///wheels/shared-1.0-py3-none-any.whl
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
