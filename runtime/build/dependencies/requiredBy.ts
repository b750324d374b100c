/** A package → its name in a message, and what requires it. */
import { normalizeName } from '../../source/environment/distributionName.ts';
import type { Requirement, RequirementSet } from './requirements.ts';

/** A package's name, optionally with its version, and what requires it if it is a requirement of the project. */
export function subject(name: string, set: RequirementSet, version?: string): string {
  const requirement = set.requirements.find((candidate) => candidate.name === normalizeName(name));
  const what = version === undefined ? name : `${name} ${version}`;
  return requirement ? `${what} (${originOf(requirement)})` : what;
}

/** What requires it, such as `required by the endpoint "api" (worker.py:4)`. */
export function originOf(requirement: Requirement): string {
  const who = [...new Set(requirement.origins.map((origin) => origin.who))];
  return `required by ${who.map((one) => one.replace(/^The /, 'the ')).join(', ')}`;
}
