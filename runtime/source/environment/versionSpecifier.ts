/** Version specifiers (PEP 440) such as `>=1.2,<2`. */
import { satisfies, validRange } from '@renovatebot/pep440';

/** Whether a specifier is valid. It can end with a comma. */
export function isSpecifier(specifier: string): boolean {
  return validRange(plain(specifier));
}

/** Whether a version satisfies a valid specifier. */
export function satisfiesSpecifier(version: string, specifier: string): boolean {
  return satisfies(version, plain(specifier));
}

function plain(specifier: string): string {
  return specifier.trim().replace(/,\s*$/, '');
}
