/** Requirements of which no version satisfies all, and what requires them. */
import { ToolkitError } from '../../contract/errors.ts';
import { normalizeName, requirementName } from '../../source/environment/distributionName.ts';
import { redact } from '../../source/environment/redact.ts';
import { originOf } from './requiredBy.ts';
import type { Requirement, RequirementSet } from './requirements.ts';
import { NAME } from './uvSentences.ts';

const CONFLICTING_URLS = new RegExp(`conflicting URLs for package \`${NAME}\``);
const ANY_VERSION = new RegExp(`^${NAME}\\s*(?:;|$)`);

const DEPENDS_ON = new RegExp(`depends? on ${NAME}([<>=!~][^ ,]*(?:,[<>=!~][^ ,]*)*)?`);

/** The hint for a conflict. */
export const CONFLICT_HINT = 'Change one of them so that one version satisfies both.';

/** Conflicting requirements, and the endpoints that have them. */
export class ConflictError extends ToolkitError {
  readonly endpoints: ReadonlySet<string>;

  constructor(error: ToolkitError, endpoints: ReadonlySet<string>) {
    super(error.code, error.message, { hint: error.hint, cause: error.cause });
    this.endpoints = endpoints;
  }
}

/** Whether the requirements could be resolved if endpoints had their own sets. */
export function isConflict(error: unknown): error is ConflictError {
  return error instanceof ConflictError;
}

/** The error for packages with conflicting requirements. */
export function conflictError(names: ReadonlySet<string>, set: RequirementSet): ToolkitError {
  const conflicting = requirementsNamed(names, set);
  const error = new ToolkitError('DEPENDENCY_CONFLICT', conflictSentence(conflicting), {
    hint: CONFLICT_HINT,
  });
  const origins = conflicting.flatMap(({ requirement }) => requirement.origins);
  return new ConflictError(error, new Set(origins.flatMap(({ endpoint }) => endpoint ?? [])));
}

/** The sentence that names conflicting requirements and their origins. */
export function conflictSentence(
  conflicting: readonly { requirement: Requirement; origin: string }[],
): string {
  const sides = conflicting.map(({ requirement, origin }) => `${redact(requirement.text)} (${origin})`);
  return `These requirements conflict: ${sides.join(' and ')}.`;
}

/** The requirements that uv's explanation names after "you require". */
export function conflictingRequirements(
  flat: string,
  set: RequirementSet,
): { requirement: Requirement; origin: string }[] {
  const explained = /cause: (.*?)(?: hint:|$)/.exec(flat)?.[1] ?? flat;
  const mentioned = new Set<string>();
  const sameName = CONFLICTING_URLS.exec(flat)?.[1];
  if (sameName) mentioned.add(normalizeName(sameName));
  for (const part of explained.matchAll(/you require (.+?)(?:,? we can conclude|\.|$)/g)) {
    for (const word of part[1]!.split(/\s+and\s+|\s+/)) {
      const name = /^[A-Za-z0-9][A-Za-z0-9._-]*/.exec(word)?.[0];
      if (name) mentioned.add(normalizeName(name.replace(/[.-]$/, '')));
    }
  }
  return requirementsNamed(mentioned, set);
}

/** The sentence for a requirement that no version satisfies: it names what limits it, or what its package depends on. */
export function noVersionSentence(
  flat: string,
  { requirement, origin }: { requirement: Requirement; origin: string },
  { constraints }: RequirementSet,
): string {
  const text = redact(requirement.text);
  const [, name, range = ''] = DEPENDS_ON.exec(flat) ?? [];
  if (name !== undefined && normalizeName(name) !== requirement.name)
    return `No version satisfies ${name}${range}, on which ${text} depends (${origin}).`;
  const limits = constraints.filter((one) => requirementName(one) === requirement.name).map(redact);
  const limited = limits.length > 0 ? ` and the constraint ${limits.join(' and ')}` : '';
  return `No version satisfies ${text} (${origin})${limited}.`;
}

/**
 * The requirements on these packages. One that accepts any version is included only if it is the only one on its package: it
 * conflicts with no other requirement on that package, but what the package requires can conflict.
 */
function requirementsNamed(
  names: ReadonlySet<string>,
  set: RequirementSet,
): { requirement: Requirement; origin: string }[] {
  const named = set.requirements.filter(({ name }) => names.has(name));
  const limited = new Set(named.filter(({ text }) => !ANY_VERSION.test(text)).map(({ name }) => name));
  return named
    .filter(({ name, text }) => !limited.has(name) || !ANY_VERSION.test(text))
    .map((requirement) => ({ requirement, origin: originOf(requirement) }));
}
