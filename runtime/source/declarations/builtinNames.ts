/**
 * Names that every module has without binding them: `dir(builtins)` of Python 3.10 to 3.13. Python 3.14 adds
 * none.
 */
import table from './builtinNames.json' with { type: 'json' };

const ALWAYS: ReadonlySet<string> = new Set(table.always);
/** Name → the first minor version of Python 3 that has the name. */
const SINCE = new Map<string, number>(Object.entries(table.since));

/**
 * Whether a name is a builtin.
 *
 * @param python - Version such as `3.11`; if null, the builtins of all versions count.
 */
export function isBuiltin(name: string, python: string | null): boolean {
  if (ALWAYS.has(name)) return true;
  const since = SINCE.get(name);
  return since !== undefined && (python === null || Number(python.split('.')[1]) >= since);
}
