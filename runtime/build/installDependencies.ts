/** Requirements → the locked sets. Each is split into packages that ship, as one part, and packages of the base image. */
import { hash } from 'node:crypto';
import { ToolkitError } from '../contract/errors.ts';
import type { ArtifactLimit } from './artifactLimit.ts';
import { buildWheel } from './dependencies/buildWheel.ts';
import { splitSet } from './dependencies/exclusions.ts';
import type { LockedPackage, LockedSet } from './dependencies/lock.ts';
import {
  downloadSettings,
  type LockOptions,
  lockRequirements,
  presentSets,
} from './dependencies/lockRequirements.ts';
import { subject } from './dependencies/requiredBy.ts';
import type { AppRequirements, RequirementSet } from './dependencies/requirements.ts';
import { type FetchOptions, fetchWheels } from './dependencies/wheelCache.ts';
import { type DependencyPart, findPart, makePart, partContent } from './dependencyPart.ts';
import type { LocalWheel } from './wheels/localWheel.ts';

/** One dependency set of a build. */
export interface DependencySet {
  name: string;
  /** Names, sorted. */
  endpoints: string[];
  /** Locked packages, including excluded ones, sorted by name. */
  packages: LockedPackage[];
  excluded: string[];
  baseLayer: string[];
  /** null when nothing ships. */
  part: DependencyPart | null;
  /** Changes when a worker would run with other packages. */
  fingerprint: string;
}

/** A set that is split into packages that ship and others, before its part is found or made. */
interface SplitLock {
  name: string;
  endpoints: string[];
  packages: LockedPackage[];
  shipped: LockedPackage[];
  excluded: string[];
  baseLayer: string[];
  content: string;
}

/**
 * Locks the requirements, downloads the wheels and makes the parts that are not cached.
 *
 * @param exclude Names given to `--exclude`.
 * @returns The sets, in the order of their parts in the artifact.
 * @throws ToolkitError of resolution, download or an unusable wheel; ARTIFACT_TOO_LARGE.
 */
export async function installDependencies(
  app: AppRequirements,
  exclude: readonly string[],
  limit: ArtifactLimit,
  options: LockOptions,
): Promise<DependencySet[]> {
  const fetching = fetchOptions(app, options);
  const makeWheel = async (source: LockedPackage) => {
    await fetchWheels([source], fetching);
  };
  const sets = split(await lockRequirements(app, makeWheel, options), app, exclude, options);
  const parts = new Map<string, DependencyPart>();
  for (const { name, content, shipped } of sets) {
    const kept = shipped.length > 0 ? await findPart(name, content, options.toolkitHome) : null;
    if (kept) parts.set(name, kept);
  }
  const missing = sets.filter(({ name, shipped }) => shipped.length > 0 && !parts.has(name));
  if (missing.length > 0) {
    const wheels = await fetchAll(missing, limit, fetching);
    for (const { name, shipped } of missing) {
      const own = shipped.map((one) => wheels.get(one.sha256)!);
      parts.set(name, await makePart(name, own, options));
    }
  }
  return sets.map((set) => dependencySet(set, parts.get(set.name) ?? null, options.python));
}

/**
 * The sets of the project's lock. Resolves, downloads and packs nothing, so the sets have no parts.
 *
 * @throws ToolkitError DEPENDENCY_UNRESOLVED if the lock is missing or does not fit the requirements.
 */
export async function lockedDependencies(
  app: AppRequirements,
  exclude: readonly string[],
  _limit: ArtifactLimit,
  options: LockOptions,
): Promise<DependencySet[]> {
  const sets = await presentSets(app, options);
  if (sets) return split(sets, app, exclude, options).map((set) => dependencySet(set, null, options.python));
  throw new ToolkitError('DEPENDENCY_UNRESOLVED', 'The dependencies have not been resolved yet.', {
    hint: 'Build or deploy the project.',
  });
}

function dependencySet(
  { shipped, content, ...set }: SplitLock,
  part: DependencyPart | null,
  python: string,
): DependencySet {
  const made = [python, shipped.length > 0 ? content : null, set.baseLayer];
  return { ...set, part, fingerprint: hash('sha256', JSON.stringify(made)) };
}

function split(
  sets: readonly LockedSet[],
  app: AppRequirements,
  exclude: readonly string[],
  { report }: LockOptions,
): SplitLock[] {
  const named = sets.flatMap(({ endpoints }) => endpoints ?? []);
  const rest = app.endpoints.filter((name) => !named.includes(name));
  if (named.length > 0) {
    const message = `The requirements of ${named.toSorted().join(', ')} conflict, so these endpoints get their own dependency sets.`;
    report({ type: 'warning', message });
  }
  const unknown = new Set(exclude);
  const all = sets.map(({ name, packages, ...set }) => {
    const endpoints = set.endpoints ?? rest;
    const roots = new Set(app.of(endpoints).requirements.map((one) => one.name));
    const parted = splitSet(packages, roots, exclude);
    for (const one of exclude) if (!parted.unknown.includes(one)) unknown.delete(one);
    const { shipped, excluded, baseLayer } = parted;
    refuseSources(packages, baseLayer, app.of(endpoints));
    const content = partContent(name, shipped);
    return { name, endpoints, packages, shipped, excluded, baseLayer, content };
  });
  for (const name of unknown) {
    const message = `--exclude ${name}: no dependency has this name.`;
    report({ type: 'warning', message });
  }
  return all;
}

/** The base layer is installed from wheels only: without this check, the first worker would fail to install it. */
function refuseSources(
  packages: readonly LockedPackage[],
  baseLayer: readonly string[],
  set: RequirementSet,
): void {
  for (const { name, version, isSource } of packages) {
    if (!isSource || !baseLayer.includes(`${name}==${version}`)) continue;
    throw new ToolkitError(
      'DEPENDENCY_NO_WHEEL',
      `${subject(name, set, version)} has only a source distribution, and packages of the base image must have wheels.`,
      { hint: 'Choose a version that has a wheel for Linux x86_64.' },
    );
  }
}

/** Downloads the wheels of all sets together. Returns them by the hash of the locked file. */
async function fetchAll(
  sets: readonly SplitLock[],
  limit: ArtifactLimit,
  options: FetchOptions,
): Promise<Map<string, LocalWheel>> {
  const packages = new Map(sets.flatMap(({ shipped }) => shipped.map((one) => [one.sha256, one])));
  const copies = (sha256: string) =>
    sets.filter(({ shipped }) => shipped.some((one) => one.sha256 === sha256)).length;
  const wheels = await fetchWheels([...packages.values()], {
    ...options,
    onSize: (wheel) => limit.note(wheel, copies(wheel.sha256)),
  });
  return new Map([...packages.keys()].map((sha256, index) => [sha256, wheels[index]!]));
}

function fetchOptions(app: AppRequirements, options: LockOptions): FetchOptions {
  const { toolkitHome, signal, report } = options;
  const all = app.of(app.endpoints);
  return {
    toolkitHome,
    signal,
    report,
    build: (source) => buildWheel(source, subject(source.name, all), options),
    onSize: () => {},
    network: async () => {
      const { authorize, network } = await downloadSettings(options, all);
      // Loaded here because most builds download nothing and need no TLS.
      const { setUpNetwork } = await import('./dependencies/downloadNetwork.ts');
      return { authorize, close: await setUpNetwork(network, report) };
    },
  };
}
