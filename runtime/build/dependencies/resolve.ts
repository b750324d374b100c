/** Requirements → a lock, by uv: wheels only, for Linux x86_64 with glibc 2.28, whatever this machine is. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ToolkitError } from '../../contract/errors.ts';
import type { ReportProgress } from '../../contract/progress.ts';
import { runTool } from '../runTool.ts';
import { normalizeName } from './distributionName.ts';
import { decodePackages, renderLock } from './lock.ts';
import type { RequirementSet } from './requirements.ts';
import { resolutionError } from './resolutionError.ts';

/** uv's name of the platform that artifacts run on. */
export const TARGET_PLATFORM = 'x86_64-manylinux_2_28';

const COMMON_ARGUMENTS = [
  'pip',
  'compile',
  '--no-header',
  '--quiet',
  '--no-progress',
  '--color',
  'never',
  '--only-binary',
  ':all:',
];

/** What a resolution runs with. */
export interface ResolveOptions {
  uv: string;
  /** uv wants an interpreter of this machine at hand; nothing is run by it. */
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

/**
 * Resolves a set of requirements.
 *
 * @param previous Text of the lock before: its versions are kept where they still fit; null to renew all.
 * @param inputs Recorded in the lock.
 * @returns The text of the new lock.
 * @throws ToolkitError DEPENDENCY_UNRESOLVED, DEPENDENCY_NO_WHEEL, DEPENDENCY_CONFLICT or DOWNLOAD_FAILED.
 */
export async function resolve(
  set: RequirementSet,
  previous: string | null,
  inputs: string,
  options: ResolveOptions,
): Promise<string> {
  await mkdir(options.workDir, { recursive: true });
  const requirements = path.join(options.workDir, 'requirements.in');
  const constraints = path.join(options.workDir, 'constraints.txt');
  const output = path.join(options.workDir, 'pylock.toml');
  await writeFile(requirements, lines([...set.options, ...set.requirements.map(({ text }) => text)]));
  await writeFile(constraints, lines(set.constraints));
  if (previous !== null) await writeFile(output, previous);
  const offline = await compileOrOffline(
    ['--format', 'pylock.toml', '-o', output, '-c', constraints, requirements],
    set,
    options,
  );
  const resolved = await readFile(output, 'utf8');

  // The lock has no edges: uv tells them in the comments of its other format, for exactly these versions.
  const pins = path.join(options.workDir, 'pins.txt');
  const packages = decodePackages(resolved, options.workDir);
  await writeFile(
    pins,
    lines([...set.constraints, ...packages.map(({ name, version }) => `${name}==${version}`)]),
  );
  const annotated = await compile(
    [...offline, '--annotation-style', 'line', '-c', pins, requirements],
    set,
    options,
  );
  return renderLock(resolved, readEdges(annotated, new Set(packages.map(({ name }) => name))), inputs);
}

/**
 * Without a network, what earlier resolutions left in uv's cache may do.
 *
 * @returns The arguments that the next call needs to go the same way.
 */
async function compileOrOffline(
  args: string[],
  set: RequirementSet,
  options: ResolveOptions,
): Promise<string[]> {
  try {
    await compile(args, set, options);
    return [];
  } catch (error) {
    if (!(error instanceof ToolkitError) || error.code !== 'DOWNLOAD_FAILED') throw error;
    await compile(['--offline', ...args], set, options);
    const message = 'The package index cannot be reached: the versions are those that earlier builds found.';
    options.report({ type: 'warning', message });
    return ['--offline'];
  }
}

async function compile(args: string[], set: RequirementSet, options: ResolveOptions): Promise<string> {
  const target = [
    '--python-platform',
    TARGET_PLATFORM,
    '--python-version',
    options.python,
    '--python',
    options.interpreter,
  ];
  const run = await runTool(
    options.uv,
    [...COMMON_ARGUMENTS, ...options.indexArguments, ...target, ...args],
    {
      env: options.env,
      signal: options.signal,
      cwd: options.workDir,
    },
  );
  if (run.code !== 0) throw resolutionError(run.stderr, set, options.python);
  return run.stdout;
}

/** Lines such as `numpy==2.4.6    # via pandas, scipy` → who needs whom. */
function readEdges(annotated: string, known: ReadonlySet<string>): Map<string, string[]> {
  const edges = new Map<string, string[]>();
  for (const line of annotated.split('\n')) {
    const match = /^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*(?:==|@).*?\s# via (.+)$/.exec(line);
    if (!match) continue;
    for (const parent of match[2]!.split(',').map((word) => normalizeName(word.trim()))) {
      if (known.has(parent))
        edges.set(parent, [...(edges.get(parent) ?? []), normalizeName(match[1]!)].sort());
    }
  }
  return edges;
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
