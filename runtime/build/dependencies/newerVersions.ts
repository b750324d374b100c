/**
 * Finds newer versions that were skipped because they have no wheel for the workers. Runs uv once, and not at all if all versions are pinned or kept from an earlier lock. Builds nothing.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { normalizeName, requirementName } from '../../source/environment/distributionName.ts';
import { isPinned } from '../../source/environment/parseRequirement.ts';
import { decodePackages } from './lock.ts';
import { type LockDocument, readDocument } from './lockDocument.ts';
import type { RequirementSet } from './requirements.ts';
import { requirementsFile } from './requirementsFile.ts';
import { AS_LOCK, type Compile, QUIETLY, type UvOptions, writeRequirements } from './uvCompile.ts';

/** A package whose newest version has no wheel for the workers. */
export interface NewerVersion {
  name: string;
  /** The newer version. */
  version: string;
  /** The resolved version, which has a wheel. */
  used: string;
}

const PRERELEASE = /^[^+]*(?:a|b|rc|dev)\d/;

/** Whether a normalized version is a pre-release. */
export function isPrerelease(version: string): boolean {
  return PRERELEASE.test(version);
}

/**
 * The newer versions that the project's requirements allow. Other packages may still require an older one.
 *
 * @param known Normalized names that are not looked up.
 */
export async function newerVersions(
  set: RequirementSet,
  document: LockDocument,
  previous: LockDocument | null,
  known: ReadonlySet<string>,
  compile: Compile,
  options: UvOptions,
): Promise<NewerVersion[]> {
  const kept = new Set(previous?.packages.map(({ name, version }) => `${String(name)}==${String(version)}`));
  const texts = [...set.requirements.map(({ text }) => text), ...set.constraints];
  const pinned = new Set(texts.filter(isPinned).map(requirementName));
  const offered = { ...document, packages: document.packages.filter(({ wheels }) => wheels !== undefined) };
  const free = decodePackages(offered, options.workDir, options.python).filter(
    ({ name, version }) => !known.has(name) && !pinned.has(name) && !kept.has(`${name}==${version}`),
  );
  if (free.length === 0) return [];
  const used = new Map(free.map(({ name, version }) => [name, version]));
  const direct = set.requirements.filter(({ name }) => used.has(name));
  const rest = free.filter(({ name }) => !direct.some((one) => one.name === name));
  const asked = [...direct, ...rest.map(({ name }) => ({ text: name, name }))];
  const bounds = path.join(options.workDir, 'newer.txt');
  // A bound with a pre-release would allow other pre-releases.
  const finals = free.filter(({ version }) => !isPrerelease(version));
  const atLeast = finals.map(({ name, version }) => `${name}>=${version.split('+')[0]}`);
  await writeFile(bounds, requirementsFile([...set.constraints, ...atLeast]));
  const files = await writeRequirements('newer', set, asked, options.workDir);
  const run = await compile(['--no-deps', QUIETLY, ...AS_LOCK, '-c', bounds, ...files]);
  if (run.code !== 0) return [];
  return readDocument(run.stdout).packages.flatMap(({ name, version, wheels }) => {
    if (typeof name !== 'string' || typeof version !== 'string' || wheels !== undefined) return [];
    const before = used.get(normalizeName(name));
    return before === undefined || before === version
      ? []
      : [{ name: normalizeName(name), version, used: before }];
  });
}
