import { SDK_MODULE } from '../../contract/names.ts';
import { modulesThatHide } from '../declarations/modulesThatHide.ts';
import type { Finding } from './Finding.ts';

/**
 * A module at the project's root has the same name as a module of Python's standard library or as
 * `toolkit_sdk`. An import of that name in a worker loads only one of the two.
 *
 * ```python
 * # queue.py
 * WAITING = []
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
 * # my_queue.py
 * WAITING = []
 *
 * # worker.py
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * def count(text: str):
 *     """Count words."""
 * ```
 */
export const hidesStandardModule: Finding = {
  code: 'hides-standard-module',
  severity: 'warning',
  chapter: 'Imports and packages',
  *find({ file, names: { modules } }) {
    const name = modulesThatHide(modules).get(file);
    if (name === undefined) return;
    const start = { line: 0, character: 0 };
    yield {
      file,
      range: { start, end: start },
      message: `${file} has the same name as ${name === SDK_MODULE ? 'the package' : 'the standard library module'} ${name}, so "import ${name}" in a worker loads only one of the two.`,
      fix: `Rename it, for example to ${file.replace(name, `my_${name}`)}, and update its imports.`,
    };
  },
};
