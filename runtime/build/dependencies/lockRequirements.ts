/** The app's requirements → its locked sets: from the project's pylock.toml if it still fits, else resolved again. */
import path from 'node:path';
import { ToolkitError } from '../../contract/errors.ts';
import { COMMON_SET, PROJECT_FILES } from '../../contract/names.ts';
import { asWriteError } from '../fileErrors.ts';
import { chooseResolver, type ResolverOptions } from './chooseResolver.ts';
import { divideSets } from './divideSets.ts';
import { type IndexSettings, readIndexSettings } from './indexSettings.ts';
import { areUnchanged } from './localFiles.ts';
import { decodePackages, type LockedSet, type PresentLock, readLock, writeLock } from './lock.ts';
import { lockOf } from './lockDocument.ts';
import { refuseOtherHashes } from './lockedHashes.ts';
import { hashInputs, type LockTarget } from './lockInputs.ts';
import { portableLock } from './portableLock.ts';
import { withProjectLock } from './projectLock.ts';
import { isWorkersOnly, RELEASED_VERSIONS } from './releasedVersions.ts';
import { renderLock } from './renderLock.ts';
import type { AppRequirements, RequirementSet } from './requirements.ts';
import type { MakeWheel } from './resolve.ts';

/** Options of locking. */
export interface LockOptions extends ResolverOptions {
  upgrade: boolean;
}

/** The lock of an app without requirements. */
const NOTHING: LockedSet[] = [{ name: COMMON_SET, endpoints: null, inputs: '', packages: [] }];

/** Working folder of uv or pip, in the folder of the build. */
const RESOLVE_DIR = 'resolve';

/**
 * The locked sets of an app: the common one first, then those of endpoints with conflicting requirements.
 *
 * @throws ToolkitError of resolution, PROJECT_CONFIG for an invalid lock, REQUIREMENT_INVALID for a file whose hash the
 *   project does not allow.
 */
export async function lockRequirements(
  app: AppRequirements,
  makeWheel: MakeWheel,
  options: LockOptions,
): Promise<LockedSet[]> {
  const sets = await lock(app, makeWheel, options);
  const all = app.of(app.endpoints);
  for (const set of sets) refuseOtherHashes(all, set.packages);
  return sets;
}

/** The locked sets without resolving anything; null if the project's lock is missing or no longer fits. */
export async function presentSets(app: AppRequirements, options: LockOptions): Promise<LockedSet[] | null> {
  return needsNothing(app) ? NOTHING : fitting(await readLock(options.root, options.python), app, options);
}

async function lock(app: AppRequirements, makeWheel: MakeWheel, options: LockOptions): Promise<LockedSet[]> {
  if (needsNothing(app)) return NOTHING;
  const present = await readLock(options.root, options.python);
  const sets = options.upgrade ? null : await fitting(present, app, options);
  if (sets) return sets;
  if (present && !present.sets) {
    const message = `${PROJECT_FILES.lock} was not created by the toolkit, so it is replaced. Its versions are kept where they fit.`;
    options.report({ type: 'warning', message });
  }
  return resolveSets(app, options.upgrade ? null : present, makeWheel, options);
}

function needsNothing(app: AppRequirements): boolean {
  return app.of(app.endpoints).requirements.length === 0;
}

async function fitting(
  present: PresentLock | null,
  app: AppRequirements,
  options: LockOptions,
): Promise<LockedSet[] | null> {
  const sets = present?.sets;
  if (!sets || !fits(sets, app, options)) return null;
  const packages = sets.flatMap((set) => set.packages);
  return (await areUnchanged(packages, options.signal)) ? sets : null;
}

/** Whether every set fits the requirements of its endpoints, and every endpoint has a set. */
function fits(sets: readonly LockedSet[], app: AppRequirements, target: LockTarget): boolean {
  const named = sets.flatMap(({ endpoints }) => endpoints ?? []);
  const rest = app.endpoints.filter((name) => !named.includes(name));
  const hasCommon = sets.some(({ endpoints }) => endpoints === null);
  if (hasCommon !== rest.length > 0 || named.some((name) => !app.endpoints.includes(name))) return false;
  return sets.every(({ endpoints, inputs }) => inputs === hashInputs(app.of(endpoints ?? rest), target));
}

async function resolveSets(
  app: AppRequirements,
  present: PresentLock | null,
  makeWheel: MakeWheel,
  options: LockOptions,
): Promise<LockedSet[]> {
  const workDir = path.join(options.workDir, RESOLVE_DIR);
  const all = app.of(app.endpoints);
  const released = isWorkersOnly(all) && !options.upgrade ? lockOf(RELEASED_VERSIONS) : null;
  const resolveOne = await chooseResolver(all, {
    ...options,
    workDir,
    makeWheel,
    isReleased: released !== null,
  });
  const divided = await divideSets(app, async (name, set) => {
    const count = set.requirements.length;
    const what = name === COMMON_SET ? '' : ` of ${name.replace(/^for-/, '')}`;
    const kept = options.upgrade ? null : set.projectLock;
    const versions = kept ? ` to the versions in ${kept.file} where they fit` : '';
    options.report({
      type: 'step',
      message: `Resolving ${count} ${count === 1 ? 'requirement' : 'requirements'}${what}${versions}`,
    });
    const previous = present?.previous(name) ?? released;
    const resolved = await resolveOne(set, kept ? withProjectLock(kept, previous) : previous);
    const document = portableLock(resolved, workDir, options.root);
    return { document, inputs: hashInputs(set, options) };
  });
  const sets = divided.map(({ resolved, ...set }) => ({ ...set, ...resolved }));
  await keepLock(renderLock(sets), options);
  return sets.map(({ document, ...set }) => ({
    ...set,
    packages: decodePackages(document, options.root, options.python),
  }));
}

/** The index settings for downloads. Called only if something must be downloaded. */
export async function downloadSettings(
  options: LockOptions,
  { options: lines, requirements }: RequirementSet,
): Promise<IndexSettings> {
  const texts = [...lines, ...requirements.map(({ text }) => text)];
  return readIndexSettings(await options.interpreter(), options, texts);
}

async function keepLock(text: string, options: LockOptions): Promise<void> {
  try {
    await writeLock(options.root, text);
  } catch (error) {
    const named = asWriteError(error, PROJECT_FILES.lock);
    if (!(named instanceof ToolkitError) || named.code !== 'NOT_WRITABLE') throw named;
    const message = `${PROJECT_FILES.lock} cannot be written, so the next build resolves again.`;
    options.report({ type: 'warning', message });
  }
}
