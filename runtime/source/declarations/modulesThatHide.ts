/**
 * A project's modules → the modules that have the same name as a standard library module or as toolkit_sdk.
 */
import { SDK_MODULE } from '../../contract/names.ts';
import { standardModules } from '../binder/standardLibrary.ts';
import type { ModuleTable } from './ModuleTable.ts';

/** Folders that a worker searches for modules before the standard library. */
const FOLDERS = ['', 'src/'];

const known = new WeakMap<ModuleTable, ReadonlyMap<string, string>>();

/** Files of a project that have the name of a standard library module, each with that name. */
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
