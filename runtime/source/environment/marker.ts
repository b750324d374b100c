/** Markers of requirements (PEP 508): the conditions after the `;`. Evaluates none. */

const VARIABLES = [
  'python_(?:full_)?version',
  'os[_.]name',
  'sys[_.]platform',
  'platform_(?:release|system)',
  'platform[_.](?:version|machine|python_implementation)',
  'python_implementation',
  'implementation_(?:name|version)',
  'extras?',
  'dependency_groups',
];
const OPERAND = String.raw`(?:'[^']*'|"[^"]*"|\b(?:${VARIABLES.join('|')})\b)`;
const OPERATOR = String.raw`(?:={2,3}|[<>!~]=|[<>]|\bin\b|\bnot\s+in\b)`;
const CONDITION = new RegExp(String.raw`${OPERAND}\s*${OPERATOR}\s*${OPERAND}`, 'g');
/** Stands for a condition. No marker contains it. */
const HOLDS = '\0';
const COMBINED = /\(\s*\0\s*\)|\0\s*(?:and|or)\s*\0/g;

/** Whether a marker is valid, as uv decides it. */
export function isMarker(marker: string): boolean {
  let reduced = marker.replaceAll(CONDITION, HOLDS);
  for (let before = ''; before !== reduced; ) {
    before = reduced;
    reduced = reduced.replaceAll(COMBINED, HOLDS);
  }
  return reduced.trim() === HOLDS;
}

/** The text before the marker, and the marker; null when there is none. A URL can contain `;` within a word. */
export function splitMarker(requirement: string): [before: string, marker: string | null] {
  const separator = requirement.includes('@') ? /\s;|;\s/ : /;/;
  const at = requirement.search(separator);
  if (at === -1) return [requirement.trim(), null];
  const end = requirement.indexOf(';', at);
  return [requirement.slice(0, end).trim(), requirement.slice(end + 1).trim()];
}

/** A requirement that applies only where this marker does too. */
export function withMarker(requirement: string, marker: string | null): string {
  if (marker === null) return requirement;
  const [before, own] = splitMarker(requirement);
  // The space keeps the `;` out of a URL.
  return `${before} ; ${own === null ? marker : `(${marker}) and (${own})`}`;
}
