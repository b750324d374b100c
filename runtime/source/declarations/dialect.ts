/** How an argument is written in Python and in pyproject.toml, for the fixes of findings. */

/** Python's `@Endpoint(…)`, or `[[tool.toolkit.endpoints]]` of pyproject.toml. */
export type Dialect = 'python' | 'toml';

/** An argument with its value as the dialect writes it; `toml` only where it differs from Python. */
export function assigned(dialect: Dialect, keyword: string, python: string, toml = python): string {
  return dialect === 'python' ? `${keyword}=${python}` : `${keyword} = ${toml}`;
}

/** The sentence that shows how to write an argument. */
export function example(dialect: Dialect, keyword: string, python: string, toml = python): string {
  return `Write for example ${assigned(dialect, keyword, python, toml)}.`;
}
