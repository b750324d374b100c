/** Writes arguments in Python or in pyproject.toml, for the fixes of findings. */

/** Python's `@Endpoint(…)`, or `[[tool.toolkit.endpoints]]` in pyproject.toml. */
export type Dialect = 'python' | 'toml';

/**
 * An argument with its value, as written in the dialect. Pass `toml` only if the value differs from Python.
 */
export function assigned(dialect: Dialect, keyword: string, python: string, toml = python): string {
  return dialect === 'python' ? `${keyword}=${python}` : `${keyword} = ${toml}`;
}

/** A sentence that shows how to write an argument. */
export function example(dialect: Dialect, keyword: string, python: string, toml = python): string {
  return `For example: ${assigned(dialect, keyword, python, toml)}.`;
}
