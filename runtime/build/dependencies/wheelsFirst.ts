/** One resolution by uv: requirements → a lock's tables with the dependencies of each package. Prefers wheels. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'smol-toml';
import { normalizeName } from '../../source/environment/distributionName.ts';
import { redact } from '../../source/environment/redact.ts';
import { decodePackages } from './lock.ts';
import { type LockDocument, readDocument } from './lockDocument.ts';
import { refuseForbiddenBuild } from './onlyBinary.ts';
import { otherWheels } from './otherWheels.ts';
import type { RequirementSet } from './requirements.ts';
import { requirementsFile } from './requirementsFile.ts';
import { resolutionError, wheelsElsewhere } from './resolutionError.ts';
import { AS_LOCK, type Compile, type UvOptions, writeRequirements } from './uvCompile.ts';
import { refuseInvalidConfig } from './uvConfigError.ts';
import { failedBuild, needsSource } from './uvSentences.ts';

const ONLY_WHEELS = ['--only-binary', ':all:'];
/** Warnings about the files and the interpreter that this module chose. */
const NEEDLESS = /does not contain any dependencies|requested Python version .* is not available/;

/** The result of one resolution. */
export interface Resolution {
  document: LockDocument;
  /** Normalized names of the packages that are built from source. */
  fromSource: string[];
  /** uv's warnings, as sentences. */
  warnings: string[];
}

/**
 * Resolves a set of requirements to wheels, except packages that have none and those in `given`.
 *
 * @param previous The previous lock, whose versions are kept where they still fit; null to update all.
 * @param given Normalized names of packages that are built from source.
 * @throws ToolkitError DEPENDENCY_UNRESOLVED, DEPENDENCY_NO_WHEEL, DEPENDENCY_CONFLICT or DOWNLOAD_FAILED.
 */
export async function wheelsFirst(
  set: RequirementSet,
  previous: LockDocument | null,
  given: readonly string[],
  compile: Compile,
  options: UvOptions,
): Promise<Resolution> {
  const constraints = path.join(options.workDir, 'constraints.txt');
  const output = path.join(options.workDir, 'pylock.toml');
  const requirements = await writeRequirements('requirements', set, set.requirements, options.workDir);
  await writeFile(constraints, requirementsFile(set.constraints));
  if (previous === null) await rm(output, { force: true });
  else await writeFile(output, stringify({ ...previous.head, packages: previous.packages }));
  const fromSource = [...given];
  for (;;) {
    const wanted = [...AS_LOCK, '-o', output, '-c', constraints, ...requirements];
    const run = await compile([...sourceArguments(fromSource), ...wanted]);
    refuseInvalidConfig(run.stderr, options);
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
    requirementsFile([...set.constraints, ...packages.map(({ name, version }) => `${name}==${version}`)]),
  );
  const pinned = ['--annotation-style', 'line', '-c', pins, ...requirements];
  const annotated = await compile([...sourceArguments(fromSource), ...pinned]);
  if (annotated.code !== 0) throw resolutionError(annotated.stderr, set, options.python, fromSource);
  const edges = readEdges(annotated.stdout, new Set(packages.map(({ name }) => name)));
  const tables = resolved.packages.map((table) => withEdges(table, edges));
  const warnings = readWarnings(annotated.stderr);
  return { document: { ...resolved, packages: tables }, fromSource, warnings };
}

/** @throws ToolkitError DEPENDENCY_NO_WHEEL for a package that would be built although it has wheels for other platforms or Pythons. */
async function refuseOtherWheels(
  name: string,
  version: string,
  set: RequirementSet,
  options: UvOptions,
): Promise<void> {
  const tags = await otherWheels(name, version, set, options);
  if (tags.length > 0) throw wheelsElsewhere(name, version, tags, set, options.python);
}

function sourceArguments(names: readonly string[]): string[] {
  return [...ONLY_WHEELS, ...names.flatMap((name) => ['--no-binary', name])];
}

function withEdges(
  table: Record<string, unknown>,
  edges: ReadonlyMap<string, string[]>,
): Record<string, unknown> {
  const needs = typeof table.name === 'string' ? (edges.get(normalizeName(table.name)) ?? []) : [];
  return needs.length > 0 ? { ...table, dependencies: needs.map((name) => ({ name })) } : table;
}

/** Lines such as `warning: The package … does not have an extra named …`, without the details below them. */
function readWarnings(stderr: string): string[] {
  const texts = redact(stderr)
    .split('\n')
    .flatMap((line) => /^warning: (.*?)[.:]?\s*$/.exec(line)?.[1]?.replaceAll('`', '') ?? []);
  return texts.filter((text) => !NEEDLESS.test(text)).map((text) => `${text}.`);
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
