/** What uv says when it cannot resolve → one sentence that names the package and who asks for it. */
import { type ErrorCode, ToolkitError } from '../../contract/errors.ts';
import { normalizeName } from './distributionName.ts';
import type { Requirement, RequirementSet } from './requirements.ts';

const NAME = String.raw`([A-Za-z0-9][A-Za-z0-9._-]*)`;
const NOT_CACHED = new RegExp(`${NAME} was not found in the cache`);
const NOT_FOUND = new RegExp(`${NAME} was not found in the (?:package registry|provided package locations)`);
const NO_VERSION = new RegExp(
  `(?:there is no version of|there are no versions of|only .* (?:is|are) available.*?) ?${NAME}?`,
);
const NO_WHEEL = new RegExp(
  `${NAME}(?:\\[[^\\]]*\\])?(?:[=<>!~][^ ]*)? (?:has|have) no (?:usable wheels|wheels with a matching)`,
);
const UNREACHABLE =
  /Failed to fetch|error sending request|dns error|tcp connect error|Network is unreachable|Request failed/;
const UNAUTHORIZED = /\b(?:401 Unauthorized|403 Forbidden)\b/;

/**
 * The error for a failed resolution.
 *
 * @param stderr uv's own words; they stay in the error's cause, credentials removed.
 */
export function resolutionError(stderr: string, set: RequirementSet, python: string): ToolkitError {
  const said = redact(stderr).trim();
  const flat = said.replaceAll(/\s+/g, ' ');
  const [code, message, hint] = classify(flat, set, python);
  return new ToolkitError(code, message, { hint, cause: new Error(said.slice(0, 4_000)) });
}

function classify(flat: string, set: RequirementSet, python: string): [ErrorCode, string, string] {
  const unauthorized = UNAUTHORIZED.exec(flat);
  if (unauthorized && UNREACHABLE.test(flat)) {
    return [
      'DOWNLOAD_FAILED',
      `The package index refused access (${unauthorized[0]}).`,
      'Check the credentials of the index in the configuration of pip or uv.',
    ];
  }
  if (UNREACHABLE.test(flat)) {
    const host = /https?:\/\/([^/\s)]+)/.exec(flat)?.[1] ?? 'the package index';
    return [
      'DOWNLOAD_FAILED',
      `The requirements could not be resolved: ${host} cannot be reached.`,
      'Check the network and the index settings of pip or uv, and build again.',
    ];
  }
  const notCached = NOT_CACHED.exec(flat)?.[1];
  if (notCached) {
    return [
      'DOWNLOAD_FAILED',
      `${subject(notCached, set)} was never downloaded here, and the package index cannot be reached.`,
      'Build once with a network; later builds need none.',
    ];
  }
  const notFound = NOT_FOUND.exec(flat)?.[1];
  if (notFound) {
    return [
      'DEPENDENCY_UNRESOLVED',
      `${subject(notFound, set)} does not exist in the package index.`,
      'Check the spelling of the distribution; its name may differ from the name that is imported.',
    ];
  }
  const noWheel = NO_WHEEL.exec(flat)?.[1];
  if (noWheel) {
    const exist = /we only found wheels for `[^`]+`[^:]*with the following [^:]*: ([^.]+?)(?: hint:|$)/.exec(
      flat,
    )?.[1];
    const found = exist ? ` (it has wheels for ${exist.replaceAll('`', '').trim()})` : '';
    return [
      'DEPENDENCY_NO_WHEEL',
      `${subject(noWheel, set)} has no wheel for Python ${python} on Linux x86_64${found}.`,
      'Choose another version of it, or another Python in [tool.toolkit] python.',
    ];
  }
  const clashing = clashingRequirements(flat, set);
  if (clashing.length > 1) {
    const sides = clashing.map(({ requirement, origin }) => `${requirement.text} (${origin})`).join(' and ');
    return [
      'DEPENDENCY_CONFLICT',
      `These requirements contradict each other: ${sides}.`,
      'Loosen one of them so that a version satisfies both.',
    ];
  }
  const noVersion = NO_VERSION.test(flat) ? clashing[0] : undefined;
  if (noVersion) {
    return [
      'DEPENDENCY_UNRESOLVED',
      `No version satisfies ${noVersion.requirement.text} (${noVersion.origin}).`,
      'Ask for a version that exists.',
    ];
  }
  const reason = /cause: (?:Because )?(.*?)(?: hint:|$)/.exec(flat)?.[1] ?? flat.replace(/^error: /, '');
  return [
    'DEPENDENCY_UNRESOLVED',
    `The requirements could not be resolved: ${sentence(reason)}`,
    'Change the requirements named here.',
  ];
}

/** The requirements whose names uv's explanation mentions as what "you require". */
function clashingRequirements(
  flat: string,
  set: RequirementSet,
): { requirement: Requirement; origin: string }[] {
  const explained = /cause: (.*?)(?: hint:|$)/.exec(flat)?.[1] ?? flat;
  const mentioned = new Set<string>();
  for (const part of explained.matchAll(/you require (.+?)(?:,? we can conclude|\.|$)/g)) {
    for (const word of part[1]!.split(/\s+and\s+|\s+/)) {
      const name = /^[A-Za-z0-9][A-Za-z0-9._-]*/.exec(word)?.[0];
      if (name) mentioned.add(normalizeName(name.replace(/[.-]$/, '')));
    }
  }
  return set.requirements
    .filter(({ name }) => mentioned.has(name))
    .map((requirement) => ({ requirement, origin: originOf(requirement) }));
}

function subject(name: string, set: RequirementSet): string {
  const requirement = set.requirements.find((candidate) => candidate.name === normalizeName(name));
  return requirement ? `${name} (${originOf(requirement)})` : name;
}

function originOf(requirement: Requirement): string {
  const who = [...new Set(requirement.origins.map((origin) => origin.who))];
  return `asked for by ${who.map((one) => one.replace(/^The /, 'the ')).join(', ')}`;
}

function sentence(text: string): string {
  const short = text.length > 300 ? `${text.slice(0, 300)}…` : text;
  return /[.…]$/.test(short) ? short : `${short}.`;
}

function redact(text: string): string {
  return text.replaceAll(/\/\/[^/\s@]+@/g, '//');
}
