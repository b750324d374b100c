/** Names of Python distributions inside requirements (PEP 503, PEP 508). */

const REQUIREMENT = /^\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\]\s*)?(?=$|[<>=!~;@(])/;

/** The form in which names are compared: `Typing_Extensions` → `typing-extensions`. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

/** The normalized name that a requirement begins with; null when it begins with none. */
export function requirementName(requirement: string): string | null {
  const name = REQUIREMENT.exec(requirement)?.[1];
  return name === undefined ? null : normalizeName(name);
}
