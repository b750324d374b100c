/**
 * A module of the project with the name of one of Python's own, or of toolkit_sdk: packages that import the one get
 * the other.
 */
import { SDK_MODULE } from '../../contract/names.ts';
import { standardModules } from '../binder/standardLibrary.ts';
import { finding, type Rule } from './rule.ts';

/** Where a worker looks for modules before it looks among Python's own. */
const FOLDERS = ['', 'src/'];

export const hidesStandardModule: Rule = (index) => {
  if (index.declarations.length === 0) return [];
  const { modules } = index.names;
  const start = { line: 0, character: 0 };
  return FOLDERS.flatMap((folder) =>
    [...standardModules(), SDK_MODULE].flatMap((name) => {
      const file = [`${folder}${name}.py`, `${folder}${name}/__init__.py`].find((one) => modules.has(one));
      if (file === undefined) return [];
      return [
        finding('hides-standard-module', {
          file,
          range: { start, end: start },
          message: `${file} has the name of ${name === SDK_MODULE ? 'the package' : "Python's own module"} ${name}, and in every worker one of the two hides the other.`,
          fix: `Rename it, for example to ${file.replace(name, `my_${name}`)}, and the imports of it too.`,
        }),
      ];
    }),
  );
};
