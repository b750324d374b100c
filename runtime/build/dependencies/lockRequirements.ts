/** A set of requirements → its locked packages: from the project's pylock.toml when it still fits, else resolved anew. */
import { hash } from 'node:crypto';
import path from 'node:path';
import { ToolkitError } from '../../contract/errors.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import type { ReportProgress } from '../../contract/progress.ts';
import { asWriteError } from '../fileErrors.ts';
import { type IndexSettings, readIndexSettings } from './indexSettings.ts';
import { findUv } from './installer.ts';
import type { Interpreter } from './interpreter.ts';
import { decodePackages, type LockedPackage, readLock, writeLock } from './lock.ts';
import type { RequirementSet } from './requirements.ts';
import { resolve, TARGET_PLATFORM } from './resolve.ts';

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

/** Raised when an unchanged project must resolve again. */
const FORMAT = 1;

/**
 * The locked packages of a set, sorted by name.
 *
 * @throws ToolkitError of resolution, PROJECT_CONFIG for a damaged lock, REQUIREMENT_INVALID for a wheel with another
 *   hash than the project allows.
 */
export async function lockRequirements(set: RequirementSet, options: LockOptions): Promise<LockedPackage[]> {
  const packages = await lock(set, options);
  refuseOtherHashes(set, packages);
  return packages;
}

async function lock(set: RequirementSet, options: LockOptions): Promise<LockedPackage[]> {
  if (set.requirements.length === 0) return [];
  const inputs = hashInputs(set, options.python);
  const present = await readLock(options.root);
  if (present?.lock?.inputs === inputs && !options.upgrade) return present.lock.packages;
  if (present && !present.lock) {
    const message = `${PROJECT_FILES.lock} was not made by the toolkit; its versions are kept where they fit, and it is replaced.`;
    options.report({ type: 'warning', message });
  }
  const count = set.requirements.length;
  options.report({
    type: 'step',
    message: `Resolving ${count} ${count === 1 ? 'requirement' : 'requirements'}`,
  });
  const interpreter = await options.interpreter();
  const uv = await findUv(options, options.interpreter);
  const settings = await readIndexSettings(interpreter, options);
  const text = await resolve(set, options.upgrade ? null : (present?.text ?? null), inputs, {
    uv,
    interpreter: interpreter.path,
    python: options.python,
    workDir: path.join(options.workDir, 'resolve'),
    env: settings.env,
    indexArguments: settings.args,
    signal: options.signal,
    report: options.report,
  });
  await keepLock(text, options);
  return decodePackages(text, options.root);
}

/**
 * Whoever writes hashes wants these files and no others, whatever an index offers under the name. A package may stand
 * on several lines, one for each Python.
 */
function refuseOtherHashes({ hashes }: RequirementSet, packages: readonly LockedPackage[]): void {
  for (const { name, version, sha256 } of packages) {
    const lines = hashes.filter((one) => one.name === name);
    if (lines.length === 0 || lines.some(({ allowed }) => allowed.includes(`sha256:${sha256}`))) continue;
    throw new ToolkitError(
      'REQUIREMENT_INVALID',
      `${lines.map(({ place }) => place).join(' and ')}: No --hash allows the wheel of ${name} ${version}, which is sha256:${sha256}.`,
      { hint: 'Pin the version that the hashes are of, or add this one if it is the right file.' },
    );
  }
}

/** The index settings for downloads: read only when something is to be downloaded. */
export async function downloadSettings(options: LockOptions): Promise<IndexSettings> {
  return readIndexSettings(await options.interpreter(), options);
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

function hashInputs(set: RequirementSet, python: string): string {
  const requirements = set.requirements.map(({ text }) => text);
  return hash(
    'sha256',
    JSON.stringify([FORMAT, TARGET_PLATFORM, python, requirements, set.constraints, set.options]),
  );
}
