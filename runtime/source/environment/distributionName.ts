/** Names of Python distributions in requirements (PEP 503, PEP 508). */

const VERSION = String.raw`(?:===|[~=!<>]=|[<>])\s*[\w.*+!-]+`;
const REQUIREMENT = new RegExp(
  String.raw`^\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\]\s*)?` +
    String.raw`(?:\(?\s*${VERSION}(?:\s*,\s*${VERSION})*\s*,?\s*\)?\s*)?(?=$|;|@\s*\S)`,
);

/** Normalizes a name for comparison: `Typing_Extensions` → `typing-extensions`. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

/** The normalized name in a requirement; null when the requirement is not valid, such as `numpy=>1`. */
export function requirementName(requirement: string): string | null {
  const name = REQUIREMENT.exec(requirement)?.[1];
  return name === undefined ? null : normalizeName(name);
}
