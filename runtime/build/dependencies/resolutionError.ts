/** What uv says when it cannot resolve → one sentence that names the package and who asks for it. */
import { type ErrorCode, ToolkitError } from '../../contract/errors.ts';
import { normalizeName } from '../../source/environment/distributionName.ts';
import { redact } from '../../source/environment/redact.ts';
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
const CONFLICTING_URLS = new RegExp(`conflicting URLs for package \`${NAME}\``);
const NEEDS_SOURCE = new RegExp(
  `Wheels are required for \`${NAME}\` because building from source is disabled|Building source distributions for \`?${NAME}\`? is disabled`,
);
const NO_FILES = new RegExp(`${NAME}(?:==[^ ]+)? ha(?:s|ve) no usable wheels`);
const BUILD_FAILED = /Failed to (?:build|download and build|resolve requirements from|install requirements)/;
const UNREACHABLE =
  /Failed to fetch|error sending request|dns error|tcp connect error|Network is unreachable|Request failed/;
const NO_WHEEL_HINT = 'Choose another version of it, or another Python in [tool.toolkit] python.';
const WHEELS_FOUND =
  /(?:we only found wheels for `[^`]+`[^:]*with the following [^:]*|Wheels are available for `[^`]+`[^:]*): ([^.]+?)(?: hint:|$)/;
const DISK_FULL = /No space left on device|os error 28/;
const UNAUTHORIZED = /\b(?:401 Unauthorized|403 Forbidden)\b/;

/** Requirements that exclude each other, and the endpoints that ask for them. */
class Contradiction extends ToolkitError {
  readonly endpoints: ReadonlySet<string>;

  constructor(error: ToolkitError, endpoints: ReadonlySet<string>) {
    super(error.code, error.message, { hint: error.hint, cause: error.cause });
    this.endpoints = endpoints;
  }
}

/** Whether endpoints may do better in sets of their own. */
export function isContradiction(error: unknown): error is Contradiction {
  return error instanceof Contradiction;
}

/** Whether uv failed for want of a network. */
export function isUnreachable(stderr: string): boolean {
  return UNREACHABLE.test(stderr) && !UNAUTHORIZED.test(stderr);
}

/** The package without any wheel that uv was not allowed to build; null when that is not the reason. */
export function needsSource(stderr: string): string | null {
  const flat = stderr.replaceAll(/\s+/g, ' ');
  const named = NEEDS_SOURCE.exec(flat);
  return named && (NO_FILES.test(flat) || named[2] !== undefined) ? (named[1] ?? named[2] ?? null) : null;
}

/**
 * The error for a failed resolution.
 *
 * @param stderr uv's own words; they stay in the error's cause, credentials removed.
 * @param fromSource Packages that uv was allowed to build.
 */
export function resolutionError(
  stderr: string,
  set: RequirementSet,
  python: string,
  fromSource: readonly string[],
): ToolkitError {
  const said = redact(stderr).trim();
  const flat = said.replaceAll(/\s+/g, ' ');
  const [code, message, hint, mayDivide = false] = classify(flat, set, python, fromSource);
  const error = new ToolkitError(code, message, { hint, cause: new Error(said.slice(0, 4_000)) });
  if (!mayDivide) return error;
  const origins = clashingRequirements(flat, set).flatMap(({ requirement }) => requirement.origins);
  return new Contradiction(error, new Set(origins.flatMap(({ endpoint }) => endpoint ?? [])));
}

/** The last tells whether fewer endpoints together may be resolved. */
type Explanation = [code: ErrorCode, message: string, hint: string, mayDivide?: boolean];

function classify(
  flat: string,
  set: RequirementSet,
  python: string,
  fromSource: readonly string[],
): Explanation {
  const failedBuild = BUILD_FAILED.test(flat)
    ? fromSource.find((name) => flat.includes(name) || flat.includes(name.replaceAll('-', '_')))
    : undefined;
  if (failedBuild) {
    return [
      'DEPENDENCY_NO_WHEEL',
      `${subject(failedBuild, set)} has only a source distribution, and building it failed.`,
      'Choose a version of it that has a wheel, or make a wheel of it and name its folder with --find-links.',
    ];
  }
  if (DISK_FULL.test(flat)) {
    return [
      'DISK_FULL',
      'The disk is full while the requirements are resolved.',
      'Free some space for the caches of uv and TOOLKIT_HOME, and build again.',
    ];
  }
  const unauthorized = UNAUTHORIZED.exec(flat);
  if (unauthorized) {
    return [
      'DOWNLOAD_FAILED',
      `${hostIn(flat)} refused access (${unauthorized[0]}).`,
      'Check the credentials of the index in the configuration of pip or uv.',
    ];
  }
  const notCached = NOT_CACHED.exec(flat)?.[1];
  if (UNREACHABLE.test(flat)) {
    const host = hostIn(flat);
    if (notCached) {
      return [
        'DOWNLOAD_FAILED',
        `${subject(notCached, set)} was never downloaded here, and ${host.replace('The ', 'the ')} cannot be reached.`,
        'Build once with a network; later builds need none. If there is one, check the index settings of pip or uv.',
      ];
    }
    return [
      'DOWNLOAD_FAILED',
      `The requirements could not be resolved: ${host.replace('The ', 'the ')} cannot be reached.`,
      'Check the network and the index settings of pip or uv, and build again.',
    ];
  }
  if (notCached) {
    return [
      'DOWNLOAD_FAILED',
      `${subject(notCached, set)} was never downloaded here, and the network is switched off.`,
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
    const exist = WHEELS_FOUND.exec(flat)?.[1];
    const found = exist ? ` (it has wheels for ${exist.replaceAll('`', '').trim()})` : '';
    return [
      'DEPENDENCY_NO_WHEEL',
      `${subject(noWheel, set)} has no wheel for Python ${python} on Linux x86_64${found}.`,
      NO_WHEEL_HINT,
    ];
  }
  const clashing = clashingRequirements(flat, set);
  if (clashing.length > 1) {
    return ['DEPENDENCY_CONFLICT', clashSentence(clashing), CLASH_HINT, true];
  }
  const noVersion = NO_VERSION.test(flat) ? clashing[0] : undefined;
  if (noVersion) {
    return [
      'DEPENDENCY_UNRESOLVED',
      `No version satisfies ${redact(noVersion.requirement.text)} (${noVersion.origin}).`,
      'Ask for a version that exists.',
    ];
  }
  const reason = /cause: (?:Because )?(.*?)(?: hint:|$)/.exec(flat)?.[1] ?? flat.replace(/^error: /, '');
  return [
    'DEPENDENCY_UNRESOLVED',
    `The requirements could not be resolved: ${sentence(reason)}`,
    'Change the requirements named here.',
    true,
  ];
}

/** The error for packages whose requirements exclude each other. */
export function contradiction(names: ReadonlySet<string>, set: RequirementSet): ToolkitError {
  const clashing = requirementsNamed(names, set);
  const error = new ToolkitError('DEPENDENCY_CONFLICT', clashSentence(clashing), { hint: CLASH_HINT });
  const origins = clashing.flatMap(({ requirement }) => requirement.origins);
  return new Contradiction(error, new Set(origins.flatMap(({ endpoint }) => endpoint ?? [])));
}

const CLASH_HINT = 'Loosen one of them so that a version satisfies both.';

function clashSentence(clashing: readonly { requirement: Requirement; origin: string }[]): string {
  const sides = clashing.map(({ requirement, origin }) => `${redact(requirement.text)} (${origin})`);
  return `These requirements contradict each other: ${sides.join(' and ')}.`;
}

function hostIn(flat: string): string {
  const host = /https?:\/\/([^/\s)`]+)/.exec(flat)?.[1];
  return host ? `The package index ${host}` : 'The package index';
}

/** The error for a package that has wheels, and none for the target. */
export function wheelsElsewhere(
  name: string,
  tags: readonly string[],
  set: RequirementSet,
  python: string,
): ToolkitError {
  return new ToolkitError(
    'DEPENDENCY_NO_WHEEL',
    `${subject(name, set)} has no wheel for Python ${python} on Linux x86_64 (it has wheels for ${tags.join(', ')}).`,
    { hint: NO_WHEEL_HINT },
  );
}

/** The requirements whose names uv's explanation mentions as what "you require". */
function clashingRequirements(
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

function requirementsNamed(
  names: ReadonlySet<string>,
  set: RequirementSet,
): { requirement: Requirement; origin: string }[] {
  return set.requirements
    .filter(({ name }) => names.has(name))
    .map((requirement) => ({ requirement, origin: originOf(requirement) }));
}

/** A package's name, with who asks for it where somebody does. */
export function subject(name: string, set: RequirementSet): string {
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
