/** Requirements → a lock's tables, resolved by uv for Linux x86_64 with glibc 2.28, on any machine. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'smol-toml';
import { PROJECT_FILES } from '../../contract/names.ts';
import type { ReportProgress } from '../../contract/progress.ts';
import { normalizeName } from '../../source/environment/distributionName.ts';
import { redact } from '../../source/environment/redact.ts';
import { makeFolder } from '../fileErrors.ts';
import { runTool, type ToolRun } from '../runTool.ts';
import { decodePackages, type LockDocument, readDocument, wheelTags } from './lock.ts';
import { refuseForbiddenBuild } from './onlyBinary.ts';
import type { Requirement, RequirementSet } from './requirements.ts';
import {
  failedBuild,
  isUnreachable,
  needsSource,
  resolutionError,
  wheelsElsewhere,
} from './resolutionError.ts';
import { sourcesProject } from './uvSources.ts';

/** uv's name for the platform of the workers. */
export const TARGET_PLATFORM = 'x86_64-manylinux_2_28';

const COMMAND = ['pip', 'compile', '--no-header', '--quiet', '--no-progress', '--color', 'never'];
const ONLY_WHEELS = ['--only-binary', ':all:'];
const FORMAT = ['--format', 'pylock.toml'];
/** The oldest minor version of Python 3 whose wheels uv lists. */
const OLDEST_LISTED = 6;

/** Options of a resolution. */
export interface ResolveOptions {
  uv: string;
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

/**
 * Resolves a set of requirements, to wheels where possible. Only packages without any wheel may be built from source.
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
  const constraints = path.join(options.workDir, 'constraints.txt');
  const output = path.join(options.workDir, 'pylock.toml');
  const requirements = await writeRequirements('requirements', set, set.requirements, options.workDir);
  await writeFile(constraints, lines(set.constraints));
  if (previous === null) await rm(output, { force: true });
  else await writeFile(output, stringify({ ...previous.head, packages: previous.packages }));
  const compile = compiler(options);
  const fromSource: string[] = [];
  for (;;) {
    const wanted = [...FORMAT, '-o', output, '-c', constraints, ...requirements];
    const run = await compile([...sourceArguments(fromSource), ...wanted]);
    if (run.code === 0) break;
    const failed = failedBuild(run.stderr);
    if (failed) await refuseOtherWheels(failed.name, failed.version, set, options);
    const name = needsSource(run.stderr);
    if (name === null || fromSource.includes(name)) {
      throw resolutionError(run.stderr, set, options.python, fromSource);
    }
    refuseForbiddenBuild(name, set, options.python);
    fromSource.push(name);
  }
  // The lock is committed: credentials of an index stay in the user's configuration.
  const resolved = readDocument(redact(await readFile(output, 'utf8')));
  // uv's lock does not say which package requires which. The comments of uv's other format do, for these same versions.
  const pins = path.join(options.workDir, 'pins.txt');
  const packages = decodePackages(resolved, options.workDir, options.python);
  for (const { name, version } of packages)
    if (fromSource.includes(name)) await refuseOtherWheels(name, version, set, options);
  await writeFile(
    pins,
    lines([...set.constraints, ...packages.map(({ name, version }) => `${name}==${version}`)]),
  );
  const pinned = ['--annotation-style', 'line', '-c', pins, ...requirements];
  const annotated = await compile([...sourceArguments(fromSource), ...pinned]);
  if (annotated.code !== 0) throw resolutionError(annotated.stderr, set, options.python, fromSource);
  const edges = readEdges(annotated.stdout, new Set(packages.map(({ name }) => name)));
  return { ...resolved, packages: resolved.packages.map((table) => withEdges(table, edges)) };
}

/**
 * Runs uv. If the index cannot be reached, continues with uv's cache of earlier resolutions, which is enough for most projects.
 */
function compiler(options: ResolveOptions): (args: string[]) => Promise<ToolRun> {
  const target = [
    '--python-platform',
    TARGET_PLATFORM,
    '--python-version',
    options.python,
    '--python',
    options.interpreter,
  ];
  const run = (args: string[]) =>
    runTool(options.uv, [...COMMAND, ...ONLY_WHEELS, ...options.indexArguments, ...target, ...args], {
      env: options.env,
      signal: options.signal,
      cwd: options.workDir,
    });
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
 * Refuses to build a package that has wheels for other platforms or Pythons: it contains compiled code, and a wheel that is
 * compiled on this machine might not run on a worker.
 *
 * @param version The version that would be built from source.
 * @throws ToolkitError DEPENDENCY_NO_WHEEL with the tags of its wheels.
 */
async function refuseOtherWheels(
  name: string,
  version: string,
  set: RequirementSet,
  options: ResolveOptions,
): Promise<void> {
  const pins = path.join(options.workDir, 'source.txt');
  await writeFile(pins, lines([...set.constraints, `${name}==${version}`]));
  const asked = await writeRequirements('source', set, [{ text: name, name }], options.workDir);
  // uv lists the wheels for a Python and all later ones. The oldest Python that the version supports lists all wheels.
  for (let minor = OLDEST_LISTED; minor <= Number(options.python.split('.')[1]); minor += 1) {
    const python = ['--python-version', `3.${minor}`, '--python', options.interpreter];
    const args = ['--universal', '--no-deps', ...FORMAT, ...options.indexArguments, ...python];
    const run = await runTool(options.uv, [...COMMAND, ...args, '-c', pins, ...asked], {
      env: options.env,
      signal: options.signal,
      cwd: options.workDir,
    });
    // Without the index no version can be looked up, and each attempt takes seconds.
    if (isUnreachable(run.stderr)) return;
    if (run.code !== 0) continue;
    const tags = wheelTags(readDocument(run.stdout));
    if (tags.length > 0) throw wheelsElsewhere(name, version, tags, set, options.python);
    return;
  }
}

/** Writes the files with the requirements. Those with a uv source go into a project file. */
async function writeRequirements(
  name: string,
  { options, sources }: RequirementSet,
  requirements: readonly Pick<Requirement, 'text' | 'name'>[],
  workDir: string,
): Promise<string[]> {
  const named = new Set(sources?.packages.map(([one]) => one));
  const textsOf = (isNamed: boolean) =>
    requirements.filter((one) => named.has(one.name) === isNamed).map(({ text }) => text);
  const plain = path.join(workDir, `${name}.in`);
  await writeFile(plain, lines([...options, ...textsOf(false)]));
  if (sources === null) return [plain];
  // Not in the folder that uv runs in, where it would override the project's own settings of uv.
  const project = path.join(workDir, name, PROJECT_FILES.pyproject);
  await makeFolder(path.dirname(project));
  await writeFile(project, sourcesProject(textsOf(true), sources));
  return [plain, project];
}

function sourceArguments(names: readonly string[]): string[] {
  return names.flatMap((name) => ['--no-binary', name]);
}

function withEdges(
  table: Record<string, unknown>,
  edges: ReadonlyMap<string, string[]>,
): Record<string, unknown> {
  const needs = typeof table.name === 'string' ? (edges.get(normalizeName(table.name)) ?? []) : [];
  return needs.length > 0 ? { ...table, dependencies: needs.map((name) => ({ name })) } : table;
}

/** Lines such as `numpy==2.4.6    # via pandas, scipy` → package → the packages that it requires. */
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
