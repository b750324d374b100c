/** Runs `uv pip compile` for the workers: Linux x86_64 with glibc 2.28, on any machine. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PROJECT_FILES } from '../../contract/names.ts';
import type { ReportProgress } from '../../contract/progress.ts';
import { makeFolder } from '../fileErrors.ts';
import { runTool, type ToolRun } from '../runTool.ts';
import type { Requirement, RequirementSet } from './requirements.ts';
import { requirementsFile } from './requirementsFile.ts';
import { isUnreachable } from './uvSentences.ts';
import { sourcesProject } from './uvSources.ts';

/** uv's name for the platform of the workers. */
export const TARGET_PLATFORM = 'x86_64-manylinux_2_28';

/** Arguments for a lock's tables. */
export const AS_LOCK = ['--format', 'pylock.toml'];

/** Without warnings. */
export const QUIETLY = '--quiet';

/** The build reads the output, so the user's own settings of its form must not apply. */
const FORM = ['--annotate', '--no-all-extras', '--no-generate-hashes', '--no-header', '--no-universal'];
const COMMAND = ['pip', 'compile', ...FORM, '--no-progress', '--color', 'never'];

/** Options of running uv. */
export interface UvOptions {
  uv: string;
  /** Folder of the project. */
  root: string;
  /** uv requires an interpreter of this machine, but runs it only to build packages from source. */
  interpreter: string;
  /** Minor version that the wheels are for. */
  python: string;
  /** Folder for the files that uv reads and writes. */
  workDir: string;
  env: NodeJS.ProcessEnv;
  /** More arguments, from the user's index settings. */
  indexArguments: string[];
  signal: AbortSignal;
  report: ReportProgress;
}

/** Resolves for the workers. */
export type Compile = (args: string[]) => Promise<ToolRun>;

/** Resolves for any target. */
export function compileFor(target: string[], options: UvOptions): Promise<ToolRun> {
  const { uv, interpreter, indexArguments, env, signal, workDir } = options;
  const python = ['--python', interpreter];
  const args = [...COMMAND, ...indexArguments, ...python, ...target];
  return runTool(uv, args, { env, signal, cwd: workDir });
}

/**
 * Resolves for the workers. If the index cannot be reached, continues with uv's cache of earlier resolutions, which is enough
 * for most projects.
 */
export function compiler(options: UvOptions): Compile {
  const target = ['--python-platform', TARGET_PLATFORM, '--python-version', options.python];
  const run = (args: string[]) => compileFor([...target, ...args], options);
  let isOffline = false;
  return async (args) => {
    if (isOffline) return run(['--offline', ...args]);
    const first = await run(args);
    if (first.code === 0 || !isUnreachable(first.stderr)) return first;
    const offline = await run(['--offline', ...args]);
    // The error needs both: what the cache lacks, and why the index could not be reached.
    if (offline.code !== 0) return { ...offline, stderr: `${offline.stderr}\n${first.stderr}` };
    isOffline = true;
    const message = 'The package index cannot be reached, so the versions come from earlier builds.';
    options.report({ type: 'warning', message });
    return offline;
  };
}

/**
 * Writes the files with the requirements. Those with a uv source go into a project file.
 *
 * @returns The files and options, as arguments.
 */
export async function writeRequirements(
  name: string,
  { options, sources }: RequirementSet,
  requirements: readonly Pick<Requirement, 'text' | 'name'>[],
  workDir: string,
): Promise<string[]> {
  const named = new Set(sources?.packages.map(([one]) => one));
  const textsOf = (isNamed: boolean) =>
    requirements.filter((one) => named.has(one.name) === isNamed).map(({ text }) => text);
  const plain = path.join(workDir, `${name}.in`);
  const inFile = options.filter((line) => argumentsOf(line).length === 0);
  await writeFile(plain, requirementsFile([...inFile, ...textsOf(false)]));
  const asked = [plain, ...options.flatMap(argumentsOf)];
  if (sources === null) return asked;
  // Not in the folder that uv runs in, where it would override the project's own settings of uv.
  const project = path.join(workDir, name, PROJECT_FILES.pyproject);
  await makeFolder(path.dirname(project));
  await writeFile(project, sourcesProject(textsOf(true), sources));
  return [project, ...asked];
}

/** pip's options for which uv has only arguments; empty for any other line of a requirements file. */
function argumentsOf(line: string): string[] {
  if (line === '--pre') return ['--prerelease', 'allow'];
  const host = /^--trusted-host[\s=]+(\S+)$/.exec(line)?.[1];
  return host === undefined ? [] : ['--allow-insecure-host', host];
}
