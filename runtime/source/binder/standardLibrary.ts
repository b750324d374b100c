/**
 * Names of the modules in the standard library of Python 3.10 to 3.14 (the union of
 * `sys.stdlib_module_names`).
 */
import names from './standardLibrary.json' with { type: 'json' };

const MODULES: ReadonlySet<string> = new Set(names);

/** Whether a dotted name is a module of the standard library. */
export function isStandardLibrary(module: string): boolean {
  const end = module.indexOf('.');
  return MODULES.has(end === -1 ? module : module.slice(0, end));
}

/** The names of all standard library modules. */
export function standardModules(): readonly string[] {
  return names;
}
