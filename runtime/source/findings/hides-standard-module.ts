/**
 * A module of the project with the name of one of Python's own, or of toolkit_sdk: packages that import the one get
 * the other.
 */
import { SDK_MODULE } from '../../contract/names.ts';
import { standardModules } from '../binder/standardLibrary.ts';
import type { ModuleTable } from '../declarations/ModuleTable.ts';
import { finding, type Rule } from './Finding.ts';

/** Where a worker looks for modules before it looks among Python's own. */
const FOLDERS = ['', 'src/'];

export const hidesStandardModule: Rule = ({ file, names: { modules } }) => {
  const name = modulesThatHide(modules).get(file);
  if (name === undefined) return [];
  const start = { line: 0, character: 0 };
  return [
    finding('hides-standard-module', {
      file,
      range: { start, end: start },
      message: `${file} has the name of ${name === SDK_MODULE ? 'the package' : "Python's own module"} ${name}, and in every worker one of the two hides the other.`,
      fix: `Rename it, for example to ${file.replace(name, `my_${name}`)}, and the imports of it too.`,
    }),
  ];
};

const known = new WeakMap<ModuleTable, ReadonlyMap<string, string>>();

/** Files of a project that have the name of a standard module, with that name. */
export function modulesThatHide(modules: ModuleTable): ReadonlyMap<string, string> {
  let hiding = known.get(modules);
  if (!hiding) {
    hiding = new Map(
      FOLDERS.flatMap((folder) =>
        [...standardModules(), SDK_MODULE].flatMap((name): [string, string][] => {
          const file = [`${folder}${name}.py`, `${folder}${name}/__init__.py`].find((one) =>
            modules.has(one),
          );
          return file === undefined ? [] : [[file, name]];
        }),
      ),
    );
    known.set(modules, hiding);
  }
  return hiding;
}
