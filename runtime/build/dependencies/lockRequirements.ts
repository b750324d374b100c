/** The app's requirements → its locked sets: from the project's pylock.toml when it still fits, else resolved anew. */
import { hash } from 'node:crypto';
import path from 'node:path';
import { ToolkitError } from '../../contract/errors.ts';
import { COMMON_SET, PROJECT_FILES } from '../../contract/names.ts';
import type { ReportProgress } from '../../contract/progress.ts';
import { redact } from '../../source/environment/redact.ts';
import { asWriteError } from '../fileErrors.ts';
import { divideSets } from './divideSets.ts';
import { type IndexSettings, readIndexSettings } from './indexSettings.ts';
import { findUv } from './installer.ts';
import type { Interpreter } from './interpreter.ts';
import {
  decodePackages,
  type LockDocument,
  type LockedSet,
  type PresentLock,
  readLock,
  writeLock,
} from './lock.ts';
import { portableLock, withoutRoot } from './portableLock.ts';
import { renderLock } from './renderLock.ts';
import type { AppRequirements, RequirementSet } from './requirements.ts';
import { resolve, TARGET_PLATFORM } from './resolve.ts';
import { pipFits, resolveWithPip } from './resolveWithPip.ts';

/** What locking needs. */
export interface LockOptions {
  root: string;
  /** Minor version that the wheels are for. */
  python: string;
  upgrade: boolean;
  workDir: string;
  toolkitHome: string;
  env: NodeJS.ProcessEnv;
  interpreter: () => Promise<Interpreter>;
  signal: AbortSignal;
  report: ReportProgress;
}

/** The lock of an app without requirements. */
const NOTHING: LockedSet[] = [{ name: COMMON_SET, endpoints: null, inputs: '', packages: [] }];

type HashedFor = Pick<LockOptions, 'root' | 'python'>;

type Resolve = (set: RequirementSet, previous: LockDocument | null) => Promise<LockDocument>;

/** Where uv or pip works, in the folder of the build. */
const RESOLVE_DIR = 'resolve';

/** Raised when an unchanged project must resolve again. */
const FORMAT = 1;

/**
 * The locked sets of an app: the common one first, then those of endpoints whose pins contradict it.
 *
 * @throws ToolkitError of resolution, PROJECT_CONFIG for a damaged lock, REQUIREMENT_INVALID for a wheel with another
 *   hash than the project allows.
 */
export async function lockRequirements(app: AppRequirements, options: LockOptions): Promise<LockedSet[]> {
  const sets = await lock(app, options);
  for (const set of sets) refuseOtherHashes(app.of([]), set);
  return sets;
}

/** Without resolving anything: null where the project's lock is missing or does not fit any more. */
export async function presentSets(app: AppRequirements, options: HashedFor): Promise<LockedSet[] | null> {
  return needsNothing(app) ? NOTHING : fitting(await readLock(options.root, options.python), app, options);
}

async function lock(app: AppRequirements, options: LockOptions): Promise<LockedSet[]> {
  if (needsNothing(app)) return NOTHING;
  const present = await readLock(options.root, options.python);
  const sets = options.upgrade ? null : fitting(present, app, options);
  if (sets) return sets;
  if (present && !present.sets) {
    const message = `${PROJECT_FILES.lock} was not made by the toolkit; its versions are kept where they fit, and it is replaced.`;
    options.report({ type: 'warning', message });
  }
  return resolveSets(app, options.upgrade ? null : present, options);
}

function needsNothing(app: AppRequirements): boolean {
  return app.of(app.endpoints).requirements.length === 0;
}

function fitting(present: PresentLock | null, app: AppRequirements, target: HashedFor): LockedSet[] | null {
  return present?.sets && fits(present.sets, app, target) ? present.sets : null;
}

/** Whether every set is what its endpoints ask for, and every endpoint has one. */
function fits(sets: readonly LockedSet[], app: AppRequirements, target: HashedFor): boolean {
  const named = sets.flatMap(({ endpoints }) => endpoints ?? []);
  const rest = app.endpoints.filter((name) => !named.includes(name));
  const hasCommon = sets.some(({ endpoints }) => endpoints === null);
  if (hasCommon !== rest.length > 0 || named.some((name) => !app.endpoints.includes(name))) return false;
  return sets.every(({ endpoints, inputs }) => inputs === hashInputs(app.of(endpoints ?? rest), target));
}

async function resolveSets(
  app: AppRequirements,
  present: PresentLock | null,
  options: LockOptions,
): Promise<LockedSet[]> {
  const resolveOne = await prepare(options, app.of(app.endpoints).sources !== null);
  const divided = await divideSets(app, async (name, set) => {
    const count = set.requirements.length;
    const what = name === COMMON_SET ? '' : ` of ${name.replace(/^for-/, '')}`;
    options.report({
      type: 'step',
      message: `Resolving ${count} ${count === 1 ? 'requirement' : 'requirements'}${what}`,
    });
    const resolved = await resolveOne(set, present?.previous(name) ?? null);
    const document = portableLock(resolved, path.join(options.workDir, RESOLVE_DIR), options.root);
    return { document, inputs: hashInputs(set, options) };
  });
  const sets = divided.map(({ resolved, ...set }) => ({ ...set, ...resolved }));
  await keepLock(renderLock(sets), options);
  return sets.map(({ document, ...set }) => ({
    ...set,
    packages: decodePackages(document, options.root, options.python),
  }));
}

/** Resolves with uv, else with pip. */
async function prepare(options: LockOptions, hasSources: boolean): Promise<Resolve> {
  const { python, signal, report } = options;
  const workDir = path.join(options.workDir, RESOLVE_DIR);
  const interpreter = await options.interpreter();
  let uv: string;
  try {
    uv = await findUv(options, options.interpreter);
  } catch (error) {
    if (!(error instanceof ToolkitError) || error.code !== 'INSTALLER_MISSING') throw error;
    // pip knows nothing of uv's sources: it would take other packages without a word.
    if (!pipFits(interpreter, python) || hasSources) throw error;
    report({ type: 'warning', message: `${error.message} pip resolves in its place, which takes longer.` });
    const pip = { interpreter, workDir, env: options.env, signal, withoutUv: error };
    return (set, previous) => resolveWithPip(set, previous, pip);
  }
  const settings = readIndexSettings(interpreter, options);
  const resolving = { uv, interpreter: interpreter.path, python, workDir, env: settings.env };
  const rest = { indexArguments: settings.args, signal, report };
  return (set, previous) => resolve(set, previous, { ...resolving, ...rest });
}

/**
 * Whoever writes hashes wants these files and no others, whatever an index offers under the name. A package may stand
 * on several lines, one for each Python.
 */
function refuseOtherHashes({ hashes }: RequirementSet, { packages }: LockedSet): void {
  for (const { name, version, sha256, isSource } of packages) {
    const lines = hashes.filter((one) => one.name === name);
    if (lines.length === 0 || lines.some(({ allowed }) => allowed.includes(`sha256:${sha256}`))) continue;
    throw new ToolkitError(
      'REQUIREMENT_INVALID',
      `${lines.map(({ place }) => place).join(' and ')}: No --hash allows the ${isSource ? 'source distribution' : 'wheel'} of ${name} ${version}, which is sha256:${sha256}.`,
      { hint: 'Pin the version that the hashes are of, or add this one if it is the right file.' },
    );
  }
}

/** The index settings for downloads: read only when something is to be downloaded. */
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

/** Whoever renews a token of an index has not changed what is required. */
function hashInputs(set: RequirementSet, { root, python }: HashedFor): string {
  const requirements = set.requirements.map(({ text }) => redact(text));
  const { packages, indexes } = set.sources ?? {};
  const sources = set.sources ? [redact(JSON.stringify([packages, indexes]))] : [];
  const options = set.options.map((one) => withoutRoot(redact(one), root));
  const inputs = [FORMAT, TARGET_PLATFORM, python, requirements, set.constraints, options, ...sources];
  return hash('sha256', JSON.stringify(inputs));
}
