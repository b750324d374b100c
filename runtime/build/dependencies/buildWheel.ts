/**
 * A source distribution → a wheel, built by uv in an isolated environment. Accepts only a wheel for every platform: code that
 * this machine's compiler made might not run on a worker.
 */
import { hash } from 'node:crypto';
import { copyFile, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { ToolkitError } from '../../contract/errors.ts';
import { HOME_FILES } from '../../contract/stateManager.ts';
import { redact } from '../../source/environment/redact.ts';
import { asWriteError, makeFolder } from '../fileErrors.ts';
import { leftovers } from '../leftovers.ts';
import { runTool } from '../runTool.ts';
import { readIndexSettings } from './indexSettings.ts';
import { findUv } from './installer.ts';
import type { LockOptions } from './lockRequirements.ts';
import { cacheError } from './uvCache.ts';

/** A source distribution on this machine. */
export interface SourceDistribution {
  name: string;
  version: string;
  url: string;
  file: string;
}

/** Returns the finished wheel, in its own folder, and its hex sha256. */
export type BuildWheel = (source: SourceDistribution) => Promise<{ file: string; sha256: string }>;

const PURE = /-(?:py2\.)?py3-none-any\.whl$/;
/** Date of the files in the wheel, so that equal sources give equal wheels (reproducible-builds.org): the first in a zip. */
const SOURCE_DATE_EPOCH = '315532800';

/**
 * Builds a wheel, with a warning: building runs code of the package on this machine.
 *
 * @param subject The package with what requires it, for messages.
 * @throws ToolkitError DEPENDENCY_NO_WHEEL if it cannot be built, or runs only on this machine.
 */
export async function buildWheel(
  source: SourceDistribution,
  subject: string,
  options: LockOptions,
): Promise<{ file: string; sha256: string }> {
  const { name, version } = source;
  options.report({
    type: 'warning',
    message: `${name} ${version} has only a source distribution, so its wheel is built on this machine.`,
  });
  const folder = path.join(options.toolkitHome, HOME_FILES.cache, 'building');
  const out = path.join(folder, `${name}-${process.pid}`);
  try {
    for (const left of await leftovers(folder, /-(\d+)$/)) await rm(left, { recursive: true, force: true });
    await rm(out, { recursive: true, force: true });
    await makeFolder(out);
    const archive = path.join(out, path.basename(decodeURIComponent(new URL(source.url).pathname)));
    await copyFile(source.file, archive);
    const failure = await runBuild(archive, out, options);
    if (failure !== null) throw cacheError(failure) ?? notBuilt(subject, 'building one failed', failure);
    const wheel = (await readdir(out)).find((file) => file.endsWith('.whl'));
    if (!wheel) throw notBuilt(subject, 'building it produced none', '');
    if (!PURE.test(wheel)) {
      const tags = wheel.slice(0, -'.whl'.length).split('-').slice(-3).join('-');
      throw notBuilt(subject, `the one built on this machine runs only on ${tags}`, '');
    }
    const file = path.join(out, wheel);
    return { file, sha256: hash('sha256', await readFile(file)) };
  } catch (error) {
    await rm(out, { recursive: true, force: true });
    throw asWriteError(error, out);
  }
}

/** Returns the output of a failed build; null if it succeeded. */
async function runBuild(archive: string, out: string, options: LockOptions): Promise<string | null> {
  const python = await options.interpreter();
  const settings = readIndexSettings(python, options);
  const uv = await findUv(options, options.interpreter);
  const args = ['build', '--wheel', '--quiet', '--no-progress', '--color', 'never', '--python', python.path];
  const run = await runTool(uv, [...args, ...settings.args, '--out-dir', out, archive], {
    env: { ...settings.env, SOURCE_DATE_EPOCH },
    signal: options.signal,
    cwd: out,
  });
  return run.code === 0 ? null : run.stderr;
}

function notBuilt(subject: string, why: string, output: string): ToolkitError {
  return new ToolkitError('DEPENDENCY_NO_WHEEL', `${subject} has no wheel for Linux x86_64, and ${why}.`, {
    hint: 'Choose a version that has a wheel, or build a wheel yourself and add the line "--find-links FOLDER" to requirements.txt.',
    cause: output === '' ? undefined : new Error(redact(output).slice(-4_000)),
  });
}
