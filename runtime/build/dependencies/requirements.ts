/** Declarations, requirements.txt and pyproject.toml → the requirements of any group of endpoints, each with its origins. */
import type { Endpoint } from '../../contract/endpoint.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { PROJECT_FILES, SDK_DISTRIBUTION, WORKER_REQUIREMENTS } from '../../contract/names.ts';
import { requirementName } from '../../source/environment/distributionName.ts';
import { type OwnProject, readOwnProject } from '../../source/environment/ownProject.ts';
import { requirementFault } from '../../source/environment/requirementFault.ts';
import {
  placeOf,
  type RequirementLines,
  readRequirementsFile,
} from '../../source/environment/requirementsFile.ts';
import { readPyproject } from '../../source/projectConfig.ts';
import type { ProjectReading } from '../../source/reading.ts';
import { type ProjectLock, readProjectLock } from './projectLock.ts';
import { readUvSettings, type UvSettings } from './uvSettings.ts';
import { readUvSources, sourcesOf, type UvSources } from './uvSources.ts';

/** The source of a requirement: an endpoint, a file of the project, or the toolkit's worker. */
interface RequirementOrigin {
  /** Name of the source, at the start of a sentence, such as `The endpoint "api" (lb_worker.py:5)`. */
  who: string;
  /** The endpoint that requires it; null for all endpoints. */
  endpoint: string | null;
}

/** One requirement as written. */
export interface Requirement {
  text: string;
  /** Normalized. */
  name: string;
  origins: RequirementOrigin[];
}

/** The resolver's input for one dependency set. */
export interface RequirementSet {
  /** Sorted by text, without duplicates. */
  requirements: Requirement[];
  constraints: string[];
  options: string[];
  /** The `--find-links` among the options: a URL or an absolute path. */
  links: { target: string; place: string }[];
  /** The uv sources of some requirements; null if there are none. */
  sources: UvSources | null;
  /** The project's settings of uv. */
  uvSettings: UvSettings;
  /** The hashes that the project allows for some packages. */
  hashes: { name: string; place: string; allowed: string[] }[];
  /** The place of `--require-hashes`; null if not every package needs a hash. */
  requireHashes: string | null;
  /** The lock of another tool, whose versions are kept where they fit; null if there is none. */
  projectLock: ProjectLock | null;
  /** The lines that forbid to build packages from source, in order. */
  onlyBinary: { names: string[]; place: string }[];
}

/** The requirements of the whole app, to be divided into dependency sets. */
export interface AppRequirements {
  /** Names, sorted. */
  endpoints: string[];
  /** The combined requirements of some endpoints. */
  of(endpoints: readonly string[]): RequirementSet;
}

/**
 * Collects the requirements of the app.
 *
 * @param peerCallers Names of the endpoints that call other endpoints.
 * @param env Has the variables in paths of requirements.txt.
 * @throws ToolkitError REQUIREMENT_INVALID with the location of the requirement.
 */
export async function collectRequirements(
  reading: ProjectReading,
  peerCallers: ReadonlySet<string>,
  env: NodeJS.ProcessEnv,
): Promise<AppRequirements> {
  const file = readRequirementsFile(reading.root, PROJECT_FILES.requirements, env);
  refuseLines(file);
  const pyproject = readPyproject(reading.root);
  const own = readOwnProject(pyproject);
  const sources = readUvSources(reading.root, pyproject);
  const asked: { text: string; name: string; origin: RequirementOrigin }[] = [];
  const add = (text: string, origin: RequirementOrigin) => {
    // Check the whole text first: expanding a requirement of the project itself drops the rest of it.
    refuseFaulty(text, origin);
    for (const written of own.expand(text.trim(), origin.who)) {
      refuseFaulty(written, origin);
      const name = requirementName(written)!;
      // The toolkit ships its own copy, so this distribution is never installed.
      if (name !== SDK_DISTRIBUTION) asked.push({ text: written, name, origin });
    }
  };
  for (const { text, at } of file.requirements) add(text, { who: placeOf(at), endpoint: null });
  addOwnGroups(own, file.ownGroups, add);
  for (const text of reading.config.dependencies) add(text, { who: PROJECT_FILES.pyproject, endpoint: null });
  for (const endpoint of reading.endpoints) {
    const who = `The endpoint "${endpoint.name}" (${endpoint.file}:${endpoint.line})`;
    for (const text of endpoint.dependencies ?? []) add(text, { who, endpoint: endpoint.name });
  }
  for (const { text, origin } of workerRequirements(reading.endpoints, peerCallers)) add(text, origin);
  const shared = {
    constraints: file.constraints.filter((text) => requirementName(text) !== SDK_DISTRIBUTION),
    options: file.options,
    links: file.links.map(({ target, at }) => ({ target, place: placeOf(at) })),
    onlyBinary: file.onlyBinary.map(({ names, at }) => ({ names, place: placeOf(at) })),
    requireHashes: file.requireHashes && placeOf(file.requireHashes),
    uvSettings: readUvSettings(reading.root, pyproject),
    projectLock: readProjectLock(reading.root),
    hashes: file.hashes.map(({ text, at, allowed }) => {
      return { name: requirementName(text)!, place: placeOf(at), allowed };
    }),
  };
  const names = new Set(reading.endpoints.flatMap(({ name }) => name ?? []));
  return {
    endpoints: [...names].sort(),
    of: (endpoints) => {
      const wanted = asked.filter(
        ({ origin }) => origin.endpoint === null || endpoints.includes(origin.endpoint),
      );
      const requirements = merge(wanted);
      return { requirements, sources: sourcesOf(sources, requirements), ...shared };
    },
  };
}

function addOwnGroups(
  own: OwnProject,
  asked: RequirementLines['ownGroups'],
  add: (text: string, origin: RequirementOrigin) => void,
): void {
  for (const { groups, at } of asked) {
    const place = placeOf(at);
    for (const text of own.groups(groups, place)) add(text, { who: place, endpoint: null });
  }
}

function merge(asked: readonly { text: string; name: string; origin: RequirementOrigin }[]): Requirement[] {
  const byText = new Map<string, Requirement>();
  for (const { text, name, origin } of asked) {
    const present = byText.get(text);
    if (present) present.origins.push(origin);
    else byText.set(text, { text, name, origins: [origin] });
  }
  return [...byText.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
}

function workerRequirements(endpoints: readonly Endpoint[], peerCallers: ReadonlySet<string>) {
  const wanted: { text: string; origin: RequirementOrigin }[] = [];
  const want = (texts: readonly string[], what: string, endpoint: string | null) => {
    const who = `The toolkit's own worker for ${what}`;
    for (const text of texts) wanted.push({ text, origin: { who, endpoint } });
  };
  for (const { kind, command, name } of endpoints) {
    if (kind !== 'load-balanced' || command !== null) continue;
    want(WORKER_REQUIREMENTS.loadBalanced, 'load-balanced endpoints', name);
  }
  for (const name of peerCallers) want(WORKER_REQUIREMENTS.peerCalls, 'calls between endpoints', name);
  return wanted;
}

/** A build of a project that was read before would have found them: they are findings of the project. */
function refuseLines({ faults: [first] }: RequirementLines): void {
  if (first)
    throw new ToolkitError('REQUIREMENT_INVALID', `${placeOf(first)}: ${first.message}`, { hint: first.fix });
}

/** @throws ToolkitError REQUIREMENT_INVALID if it cannot be installed. */
function refuseFaulty(text: string, { who }: RequirementOrigin): void {
  const fault = requirementFault(text);
  if (fault) throw new ToolkitError('REQUIREMENT_INVALID', `${who} ${fault.problem}.`, { hint: fault.fix });
}
