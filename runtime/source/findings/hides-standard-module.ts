import { SDK_MODULE } from '../../contract/names.ts';
import { standardModules } from '../binder/standardLibrary.ts';
import type { ModuleTable } from '../declarations/ModuleTable.ts';
import type { Finding } from './Finding.ts';

/** Folders in which a worker looks for modules before it looks in the standard library. */
const FOLDERS = ['', 'src/'];

/**
 * A module at the project's root has the name of one of Python's own or of `toolkit_sdk`, and one hides the other.
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
 * Repaired:
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
      message: `${file} has the name of ${name === SDK_MODULE ? 'the package' : "Python's own module"} ${name}, and in every worker one of the two hides the other.`,
      fix: `Rename it, for example to ${file.replace(name, `my_${name}`)}, and the imports of it too.`,
    };
  },
};

const known = new WeakMap<ModuleTable, ReadonlyMap<string, string>>();

/** Files of a project that have the name of a standard module, with that name. */
export function modulesThatHide(modules: ModuleTable): ReadonlyMap<string, string> {
  const before = known.get(modules);
  if (before) return before;
  const hiding = new Map<string, string>();
  for (const folder of FOLDERS) {
    for (const name of [...standardModules(), SDK_MODULE]) {
      const files = [`${folder}${name}.py`, `${folder}${name}/__init__.py`];
      const file = files.find((one) => modules.has(one));
      if (file !== undefined) hiding.set(file, name);
    }
  }
  known.set(modules, hiding);
  return hiding;
}
