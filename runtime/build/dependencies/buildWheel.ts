/**
 * A source distribution → a wheel, by uv in an environment of its own. Only a wheel for every platform is taken: one
 * that this machine's compiler made would run nowhere else.
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

/** A source distribution on this machine. */
export interface SourceDistribution {
  name: string;
  version: string;
  url: string;
  file: string;
}

/** Answers the finished wheel, in a folder of its own, and its hex sha256. */
export type BuildWheel = (source: SourceDistribution) => Promise<{ file: string; sha256: string }>;

const PURE = /-(?:py2\.)?py3-none-any\.whl$/;
/** Dates inside the wheel: equal sources give equal wheels (reproducible-builds.org). The first one a zip can hold. */
const SOURCE_DATE_EPOCH = '315532800';

/**
 * Builds a wheel, and says so: building runs code of the package on this machine.
 *
 * @param whoAsks The package with its origins, for messages.
 * @throws ToolkitError DEPENDENCY_NO_WHEEL when it cannot be built, or is built for this machine alone.
 */
export async function buildWheel(
  source: SourceDistribution,
  whoAsks: string,
  options: LockOptions,
): Promise<{ file: string; sha256: string }> {
  const { name, version } = source;
  options.report({
    type: 'warning',
    message: `${name} ${version} has only a source distribution: a wheel is built of it on this machine.`,
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
    if (failure !== null) throw notBuilt(whoAsks, 'building one failed', failure);
    const wheel = (await readdir(out)).find((file) => file.endsWith('.whl'));
    if (!wheel) throw notBuilt(whoAsks, 'its build made none', '');
    if (!PURE.test(wheel)) {
      const tags = wheel.slice(0, -'.whl'.length).split('-').slice(-3).join('-');
      throw notBuilt(whoAsks, `one built of it is for ${tags} alone`, '');
    }
    const file = path.join(out, wheel);
    return { file, sha256: hash('sha256', await readFile(file)) };
  } catch (error) {
    await rm(out, { recursive: true, force: true });
    throw asWriteError(error, out);
  }
}

/** Answers what the build said when it failed. */
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

function notBuilt(whoAsks: string, why: string, said: string): ToolkitError {
  return new ToolkitError('DEPENDENCY_NO_WHEEL', `${whoAsks} has no wheel for Linux x86_64, and ${why}.`, {
    hint: 'Choose a version of it that has a wheel, or make a wheel of it and name its folder with --find-links.',
    cause: said === '' ? undefined : new Error(redact(said).slice(-4_000)),
  });
}
