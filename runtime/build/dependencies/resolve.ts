/**
 * Requirements → a lock's tables, resolved by uv. Versions are those that `uv pip install` would choose, except that compiled
 * code is never built: such a package gets its newest version with a wheel.
 */
import { ToolkitError } from '../../contract/errors.ts';
import { makeFolder } from '../fileErrors.ts';
import { splitSet } from './exclusions.ts';
import { decodePackages, type LockedPackage } from './lock.ts';
import type { LockDocument } from './lockDocument.ts';
import { isPrerelease, type NewerVersion, newerVersions } from './newerVersions.ts';
import { forbidsBuild } from './onlyBinary.ts';
import { otherWheels } from './otherWheels.ts';
import type { RequirementSet } from './requirements.ts';
import { wheelsElsewhere } from './resolutionError.ts';
import { writeRunSettings } from './runSettings.ts';
import { type Compile, compiler, type UvOptions } from './uvCompile.ts';
import { type Resolution, wheelsFirst } from './wheelsFirst.ts';

/** Options of a resolution. */
export interface ResolveOptions extends UvOptions {
  makeWheel: MakeWheel;
}

/**
 * Builds the wheel of a source distribution, and caches it.
 *
 * @throws ToolkitError DEPENDENCY_NO_WHEEL if it cannot be built.
 */
export type MakeWheel = (source: LockedPackage) => Promise<void>;

/**
 * Resolves a set of requirements, to wheels where possible. Packages are built from source only if their version has no wheel
 * for any platform.
 *
 * @param previous The previous lock, whose versions are kept where they still fit; null to update all.
 * @throws ToolkitError DEPENDENCY_UNRESOLVED, DEPENDENCY_NO_WHEEL, DEPENDENCY_CONFLICT or DOWNLOAD_FAILED.
 */
export async function resolve(
  set: RequirementSet,
  previous: LockDocument | null,
  options: ResolveOptions,
): Promise<LockDocument> {
  await makeFolder(options.workDir);
  await writeRunSettings(options.root, options.workDir);
  const compile = compiler(options);
  let resolution = await wheelsFirst(set, previous, [], compile, options);
  const known = new Set<string>();
  for (;;) {
    const newer = await newerVersions(set, resolution.document, previous, known, compile, options);
    if (newer.length === 0) {
      for (const message of resolution.warnings) options.report({ type: 'warning', message });
      return resolution.document;
    }
    const ofBaseImage = baseImagePackages(resolution, set, options);
    for (const one of newer) {
      known.add(one.name);
      if (forbidsBuild(one.name, set)) continue;
      const tags = await otherWheels(one.name, one.version, set, options);
      // A pre-release is never used only because it has a wheel.
      const isLast = isPrerelease(one.used);
      if (tags.length > 0 && isLast) throw wheelsElsewhere(one.name, one.version, tags, set, options.python);
      if (tags.length > 0) {
        warnOf(one, `has no wheel for Python ${options.python} on Linux x86_64`, options);
      } else if (ofBaseImage.has(one.name) && !isLast) {
        warnOf(one, 'has only a source distribution: packages of the base image must have wheels', options);
      } else {
        resolution = await withSource(one, resolution, set, previous, compile, options);
      }
    }
  }
}

/** The resolution with a newer version that is built from source; unchanged if that version cannot be used. */
async function withSource(
  newer: NewerVersion,
  resolution: Resolution,
  set: RequirementSet,
  previous: LockDocument | null,
  compile: Compile,
  options: ResolveOptions,
): Promise<Resolution> {
  try {
    const fromSource = [...resolution.fromSource, newer.name];
    const next = await wheelsFirst(set, previous, fromSource, compile, options);
    const packages = decodePackages(next.document, options.workDir, options.python);
    const chosen = packages.find(({ name }) => name === newer.name);
    // Another package requires an older version.
    if (!chosen || chosen.version === newer.used) return resolution;
    await options.makeWheel(chosen);
    return next;
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof ToolkitError)) throw error;
    // Other requirements exclude the newer version, so an installation would not choose it either.
    if (error.code === 'DEPENDENCY_UNRESOLVED' || error.code === 'DEPENDENCY_CONFLICT') return resolution;
    if (isPrerelease(newer.used)) throw error;
    const message = `${error.message} ${newer.name} ${newer.used} is used instead of ${newer.version}.`;
    options.report({ type: 'warning', message });
    return resolution;
  }
}

/** Names of the packages that workers get from the base image. */
function baseImagePackages({ document }: Resolution, set: RequirementSet, options: UvOptions): Set<string> {
  const packages = decodePackages(document, options.workDir, options.python);
  const { baseLayer } = splitSet(packages, new Set(set.requirements.map(({ name }) => name)), []);
  return new Set(baseLayer.map((one) => one.split('==')[0]!));
}

function warnOf({ name, version, used }: NewerVersion, why: string, { report }: UvOptions): void {
  report({ type: 'warning', message: `${name} ${used} is used instead of ${version}, which ${why}.` });
}
