/**
 * Inputs and outputs travel as the text that was sent: parsing and writing them again would change numbers beyond a
 * double's precision, and 1.0 to 1.
 */

/**
 * The source text of one value of an object; null when the object has no such key. Of a repeated key the last
 * counts, as in `JSON.parse`.
 *
 * @param json Text that `JSON.parse` has accepted as an object.
 */
export function valueText(json: string, key: string): string | null {
  let found: string | null = null;
  let name: string | null = null;
  let depth = 0;
  let start = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') {
      const end = endOfString(json, at);
      // At depth 1 a string is a name while none is pending, else a value.
      if (depth === 1 && name === null) name = String(JSON.parse(json.slice(at, end + 1)));
      at = end;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === ':' && depth === 1) start = at + 1;
    else if (character === ',' || character === '}' || character === ']') {
      if (depth === 1) {
        if (name === key) found = json.slice(start, at).trim();
        name = null;
      }
      if (character !== ',') depth -= 1;
    }
  }
  return found;
}

/** Index of the quote that ends the string which begins at `start`. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}
