/** Declarations, requirements.txt and pyproject.toml → the requirements of one dependency set, each with its origins. */
import type { Endpoint } from '../../contract/endpoint.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { PROJECT_FILES, SDK_DISTRIBUTION } from '../../contract/names.ts';
import type { ProjectReading } from '../../source/reading.ts';
import { requirementName } from './distributionName.ts';
import { readRequirementsFile } from './requirementsFile.ts';

/** Who asks for a requirement: an endpoint, a file of the project, or the toolkit's own worker. */
interface RequirementOrigin {
  /** Begins a sentence, such as `The endpoint "api" (lb_worker.py:5)`. */
  who: string;
  endpoint: string | null;
}

/** One requirement as written. */
export interface Requirement {
  text: string;
  /** Normalized. */
  name: string;
  origins: RequirementOrigin[];
}

/** All that the resolver is told. */
export interface RequirementSet {
  /** Sorted by text, each once. */
  requirements: Requirement[];
  constraints: string[];
  options: string[];
  /** What the project allows for the wheels of some packages. */
  hashes: { name: string; place: string; allowed: string[] }[];
}

/** The worker's own ranges; they join the user's before resolving, so that a clash names both. */
const WORKER_REQUIREMENTS = {
  loadBalanced: ['fastapi>=0.115,<1', 'uvicorn>=0.30,<1'],
  peerCalls: ['httpx>=0.27,<1'],
} as const;

/**
 * Collects what the app needs.
 *
 * @param peerCallers Names of the endpoints that call another endpoint.
 * @throws ToolkitError REQUIREMENT_INVALID with the place of the requirement.
 */
export async function collectRequirements(
  reading: ProjectReading,
  peerCallers: ReadonlySet<string>,
): Promise<RequirementSet> {
  const file = await readRequirementsFile(reading.root, PROJECT_FILES.requirements);
  const collected = new Map<string, Requirement>();
  const add = (text: string, origin: RequirementOrigin) => {
    const written = text.trim();
    const name = requirementName(written);
    if (name === null) throw notARequirement(text, origin);
    // The toolkit ships its own copy: the distribution is never looked up.
    if (name === SDK_DISTRIBUTION) return;
    const present = collected.get(written);
    if (present) present.origins.push(origin);
    else collected.set(written, { text: written, name, origins: [origin] });
  };
  for (const { text, place } of file.requirements) add(text, { who: place, endpoint: null });
  for (const text of reading.config.dependencies) add(text, { who: PROJECT_FILES.pyproject, endpoint: null });
  for (const endpoint of reading.endpoints) {
    const origin = {
      who: `The endpoint "${endpoint.name}" (${endpoint.file}:${endpoint.line})`,
      endpoint: endpoint.name,
    };
    for (const text of endpoint.dependencies ?? []) add(text, origin);
  }
  for (const { text, origin } of workerRequirements(reading.endpoints, peerCallers)) add(text, origin);
  return {
    requirements: [...collected.values()].sort((a, b) => (a.text < b.text ? -1 : 1)),
    constraints: file.constraints.filter((text) => requirementName(text) !== SDK_DISTRIBUTION),
    options: file.options,
    hashes: file.hashes.flatMap(({ text, ...rest }) => {
      const name = requirementName(text);
      return name === null ? [] : [{ name, ...rest }];
    }),
  };
}

function workerRequirements(endpoints: readonly Endpoint[], peerCallers: ReadonlySet<string>) {
  const who = (what: string) => ({ who: `The toolkit's own worker for ${what}`, endpoint: null });
  const isServing = endpoints.some(
    (endpoint) => endpoint.kind === 'load-balanced' && endpoint.command === null,
  );
  const wanted: { text: string; origin: RequirementOrigin }[] = [];
  if (isServing) {
    for (const text of WORKER_REQUIREMENTS.loadBalanced)
      wanted.push({ text, origin: who('load-balanced endpoints') });
  }
  if (peerCallers.size > 0) {
    for (const text of WORKER_REQUIREMENTS.peerCalls)
      wanted.push({ text, origin: who('calls between endpoints') });
  }
  return wanted;
}

function notARequirement(text: string, origin: RequirementOrigin): ToolkitError {
  return new ToolkitError(
    'REQUIREMENT_INVALID',
    `${origin.who} asks for ${JSON.stringify(text)}, which is not a requirement.`,
    {
      hint: 'Write a distribution with an optional version, such as "requests>=2.31".',
    },
  );
}
