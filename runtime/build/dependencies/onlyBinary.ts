/** `--only-binary` lines of requirements files → the packages that must not be built from source. */
import { ToolkitError } from '../../contract/errors.ts';
import { normalizeName } from '../../source/environment/distributionName.ts';
import { subject } from './requiredBy.ts';
import type { RequirementSet } from './requirements.ts';

/**
 * Refuses to build a package from source that an `--only-binary` line names: building runs code of the package.
 *
 * @param name Normalized.
 * @throws ToolkitError DEPENDENCY_NO_WHEEL with the place of that line.
 */
export function refuseForbiddenBuild(name: string, set: RequirementSet, python: string): void {
  const place = forbiddenAt(name, set.onlyBinary);
  if (place === null) return;
  throw new ToolkitError(
    'DEPENDENCY_NO_WHEEL',
    `${subject(name, set)} has no wheel for Python ${python} on Linux x86_64, and --only-binary (${place}) forbids building one.`,
    { hint: `Choose a version that has a wheel, or change the option so that it does not include ${name}.` },
  );
}

/** Whether an `--only-binary` line names a package. */
export function forbidsBuild(name: string, { onlyBinary }: RequirementSet): boolean {
  return forbiddenAt(name, onlyBinary) !== null;
}

/** As in pip, each line adds to the earlier ones, and `:none:` takes them back. */
function forbiddenAt(name: string, lines: RequirementSet['onlyBinary']): string | null {
  let place: string | null = null;
  for (const line of lines) {
    for (const one of line.names) {
      if (one === ':none:') place = null;
      else if (one === ':all:' || normalizeName(one) === name) place ??= line.place;
    }
  }
  return place;
}
