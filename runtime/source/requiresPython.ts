/** `[project] requires-python` (PEP 440) → the minor versions of Python that it allows. */
import { isSpecifier, satisfiesSpecifier } from './environment/versionSpecifier.ts';
import type { TargetPython } from './reading.ts';

/** The supported minor versions, oldest first. toolkit_sdk and its worker run on Python 3.10 and newer. */
export const SUPPORTED_PYTHONS: readonly string[] = ['3.10', '3.11', '3.12', '3.13', '3.14'];

/** The target of a project that sets none. */
export const ANY_PYTHON: TargetPython = { python: null, requiresPython: null };

/** More than a minor version of Python has ever had. */
const MOST_PATCHES = 50;

/** Whether any patch version of a minor version, such as `3.11`, is allowed. An invalid specifier allows all. */
export function allowsPython(specifier: string | null, minor: string): boolean {
  if (specifier === null || !isSpecifier(specifier)) return true;
  const patches = Array.from({ length: MOST_PATCHES }, (_, patch) => `${minor}.${patch}`);
  return patches.some((version) => satisfiesSpecifier(version, specifier));
}
