/** Markers of requirements (PEP 508): the conditions after the `;`. Evaluates none. */

/** The text before the marker, and the marker; empty when there is none. A URL can contain `;` within a word. */
export function splitMarker(requirement: string): [before: string, marker: string] {
  const separator = requirement.includes('@') ? /\s;|;\s/ : /;/;
  const at = requirement.search(separator);
  if (at === -1) return [requirement.trim(), ''];
  const end = requirement.indexOf(';', at);
  return [requirement.slice(0, end).trim(), requirement.slice(end + 1).trim()];
}

/** A requirement that applies only where this marker does too. */
export function withMarker(requirement: string, marker: string): string {
  if (marker === '') return requirement;
  const [before, own] = splitMarker(requirement);
  // The space keeps the `;` out of a URL.
  return `${before} ; ${own === '' ? marker : `(${marker}) and (${own})`}`;
}
