/** Locked packages and the `--hash` options of requirements files → an error for a file that they do not allow. */
import { ToolkitError } from '../../contract/errors.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import type { LockedPackage } from './lock.ts';
import { subject } from './requiredBy.ts';
import type { RequirementSet } from './requirements.ts';

/**
 * Refuses files that the project's `--hash` options do not allow, even if an index offers them under the same name.
 *
 * @throws ToolkitError REQUIREMENT_INVALID with the places of the options.
 */
export function refuseOtherHashes(set: RequirementSet, packages: readonly LockedPackage[]): void {
  const unlisted: LockedPackage[] = [];
  for (const one of packages) {
    const { name, version, sha256, isSource } = one;
    // A package can have several lines, one for each Python.
    const lines = set.hashes.filter((line) => line.name === name);
    if (lines.length === 0) unlisted.push(one);
    if (lines.length === 0 || lines.some(({ allowed }) => allowed.includes(`sha256:${sha256}`))) continue;
    throw new ToolkitError(
      'REQUIREMENT_INVALID',
      `${lines.map(({ place }) => place).join(' and ')}: No --hash matches the ${isSource ? 'source distribution' : 'wheel'} of ${name} ${version}, which has sha256:${sha256}.`,
      { hint: 'Pin the version that the hashes belong to, or add this hash if the file is the right one.' },
    );
  }
  const [first] = unlisted;
  if (set.requireHashes === null || !first) return;
  const names = unlisted.map(({ name, version }) => subject(name, set, version)).join(', ');
  throw new ToolkitError(
    'REQUIREMENT_INVALID',
    `--require-hashes (${set.requireHashes}) needs a --hash for each package, but there is none for ${names}.`,
    {
      hint: `Add a line for each of them to ${PROJECT_FILES.requirements}, such as "${first.name}==${first.version} --hash=sha256:${first.sha256}".`,
    },
  );
}
