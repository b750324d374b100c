/** Names of Python distributions inside requirements (PEP 503, PEP 508). */

const VERSION = String.raw`(?:===|[~=!<>]=|[<>])\s*[\w.*+!-]+`;
const REQUIREMENT = new RegExp(
  String.raw`^\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\]\s*)?` +
    String.raw`(?:\(?\s*${VERSION}(?:\s*,\s*${VERSION})*\s*,?\s*\)?\s*)?(?=$|;|@\s*\S)`,
);

/** The form in which names are compared: `Typing_Extensions` → `typing-extensions`. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

/** The normalized name of a requirement; null when it is not valid, such as `numpy=>1`. */
export function requirementName(requirement: string): string | null {
  const name = REQUIREMENT.exec(requirement)?.[1];
  return name === undefined ? null : normalizeName(name);
}
