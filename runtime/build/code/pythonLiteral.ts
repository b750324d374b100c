/** Values → Python source text for generated files. */

/** A string literal. All escapes of JSON are valid in Python. */
export function pythonString(text: string): string {
  return JSON.stringify(text);
}

/** `True` or `False`. */
export function pythonBool(value: boolean): string {
  return value ? 'True' : 'False';
}

/** A tuple of already rendered items; a tuple of one item ends with a comma. */
export function pythonTuple(items: readonly string[]): string {
  return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`;
}

/** Text for the inside of a `"""` docstring. */
export function docstringText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
