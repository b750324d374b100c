/** Requirements → a lock's tables, by uv: for Linux x86_64 with glibc 2.28, whatever this machine is. */
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
import type { Requirement, RequirementSet } from './requirements.ts';
import { isUnreachable, needsSource, resolutionError, wheelsElsewhere } from './resolutionError.ts';
import { sourcesProject } from './uvSources.ts';

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
  /** uv wants an interpreter of this machine at hand; only what is built from source is run by it. */
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
 * Resolves a set of requirements: wheels first; what has only source distributions is allowed to be built, by its name.
 *
 * @param previous The lock before: its versions are kept where they still fit; null to renew all.
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
    const wanted = ['--format', 'pylock.toml', '-o', output, '-c', constraints, ...requirements];
    const run = await compile([...sourceArguments(fromSource), ...wanted]);
    if (run.code === 0) break;
    const name = needsSource(run.stderr);
    if (name === null || fromSource.includes(name)) {
      throw resolutionError(run.stderr, set, options.python, fromSource);
    }
    fromSource.push(name);
  }
  for (const name of fromSource) await refuseOtherWheels(name, set, options);
  // The lock is committed: credentials of an index stay in the user's configuration.
  const resolved = readDocument(redact(await readFile(output, 'utf8')));

  // The lock has no edges: uv tells them in the comments of its other format, for exactly these versions.
  const pins = path.join(options.workDir, 'pins.txt');
  const packages = decodePackages(resolved, options.workDir, options.python);
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
 * Runs uv. Once the index turns out to be out of reach, it goes on with what earlier resolutions left in uv's cache:
 * enough for most projects, and better than nothing.
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
    runTool(options.uv, [...COMMON_ARGUMENTS, ...options.indexArguments, ...target, ...args], {
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
    // Why it had to do without a network belongs to what it then lacked.
    if (offline.code !== 0) return { ...offline, stderr: `${offline.stderr}\n${first.stderr}` };
    isOffline = true;
    const message = 'The package index cannot be reached: the versions are those that earlier builds found.';
    options.report({ type: 'warning', message });
    return offline;
  };
}

/** A package with wheels for other machines is no pure one: what its source builds here is not tried. */
async function refuseOtherWheels(name: string, set: RequirementSet, options: ResolveOptions): Promise<void> {
  const pins = path.join(options.workDir, 'source.txt');
  const found = decodePackages(
    readDocument(await readFile(path.join(options.workDir, 'pylock.toml'), 'utf8')),
    options.workDir,
    options.python,
  );
  const version = found.find((one) => one.name === normalizeName(name))?.version;
  const asked = await writeRequirements(
    'source',
    set,
    [{ text: name, name: normalizeName(name) }],
    options.workDir,
  );
  await writeFile(pins, lines([...set.constraints, ...(version ? [`${name}==${version}`] : [])]));
  const args = [
    'pip',
    'compile',
    '--universal',
    '--no-deps',
    '--format',
    'pylock.toml',
    '--no-header',
    '--quiet',
  ];
  const python = ['--python-version', options.python, '--python', options.interpreter];
  const run = await runTool(
    options.uv,
    [...args, ...options.indexArguments, ...python, '-c', pins, ...asked],
    {
      env: options.env,
      signal: options.signal,
      cwd: options.workDir,
    },
  );
  const tags = run.code === 0 ? wheelTags(readDocument(run.stdout)) : [];
  if (tags.length > 0) throw wheelsElsewhere(normalizeName(name), tags, set, options.python);
}

/** Writes the files that name the requirements: those with a source of uv's own are in a project file. */
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
  // Not in the folder that uv runs in: it would be read in place of the project's own settings of uv.
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
