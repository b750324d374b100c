/** Requirements → the locked set, split into what ships and what the base image has, and the part of what ships. */
import { hash } from 'node:crypto';
import { COMMON_SET } from '../contract/names.ts';
import type { ReportProgress } from '../contract/progress.ts';
import type { ArtifactLimit } from './artifactLimit.ts';
import { splitSet } from './dependencies/exclusions.ts';
import type { LockedPackage } from './dependencies/lock.ts';
import { downloadSettings, type LockOptions, lockRequirements } from './dependencies/lockRequirements.ts';
import type { RequirementSet } from './dependencies/requirements.ts';
import { fetchWheels } from './dependencies/wheelCache.ts';
import { type DependencyPart, findPart, makePart, partContent } from './dependencyPart.ts';

/** One dependency set of a build. */
export interface DependencySet {
  name: string;
  /** Locked packages, sorted by name, excluded ones too. */
  packages: LockedPackage[];
  excluded: string[];
  baseLayer: string[];
  /** null when nothing ships. */
  part: DependencyPart | null;
  /** Changes when a worker would run on other packages. */
  fingerprint: string;
}

/**
 * Locks, fetches and splices.
 *
 * @param exclude Names given to `--exclude`.
 * @throws ToolkitError of resolution, download or an unusable wheel; ARTIFACT_TOO_LARGE.
 */
export async function installDependencies(
  set: RequirementSet,
  exclude: readonly string[],
  limit: ArtifactLimit,
  options: LockOptions,
): Promise<DependencySet> {
  const packages = await lockRequirements(set, options);
  const roots = new Set(set.requirements.map(({ name }) => name));
  const { shipped, excluded, baseLayer, unknown } = splitSet(packages, roots, exclude);
  for (const name of unknown) {
    options.report({
      type: 'warning',
      message: `--exclude ${name}: no such package is among the dependencies.`,
    });
  }
  const content = partContent(COMMON_SET, shipped);
  const part =
    shipped.length === 0
      ? null
      : ((await findPart(COMMON_SET, content, options.toolkitHome)) ??
        (await fetchAndMake(shipped, limit, options, options.report)));
  return {
    name: COMMON_SET,
    packages,
    excluded,
    baseLayer,
    part,
    fingerprint: hash('sha256', JSON.stringify([options.python, part ? content : null, baseLayer])),
  };
}

async function fetchAndMake(
  shipped: readonly LockedPackage[],
  limit: ArtifactLimit,
  options: LockOptions,
  report: ReportProgress,
): Promise<DependencyPart> {
  const wheels = await fetchWheels(shipped, {
    toolkitHome: options.toolkitHome,
    signal: options.signal,
    report,
    onSize: (wheel) => limit.note(wheel),
    authorizations: async () => {
      const { authorizations, certificates } = await downloadSettings(options);
      if (certificates) {
        // TLS is loaded for nobody who needs no certificates of his own.
        const { trustCertificates } = await import('./dependencies/trustCertificates.ts');
        await trustCertificates(certificates, report);
      }
      return authorizations;
    },
  });
  report({
    type: 'step',
    message: `Packing ${wheels.length} ${wheels.length === 1 ? 'package' : 'packages'}`,
  });
  return makePart(COMMON_SET, wheels, options.toolkitHome, options.signal);
}
