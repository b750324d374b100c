/** uv's output after a failed resolution → one sentence that names the package and what requires it. */
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
const FAILED_BUILD = new RegExp(`Failed to (?:download and )?build \`${NAME}==([^\`\\s]+)\``);
const ANY_VERSION = new RegExp(`^${NAME}\\s*(?:;|$)`);
const UNREACHABLE =
  /Failed to fetch|error sending request|dns error|tcp connect error|Network is unreachable|Request failed/;
const NO_WHEEL_HINT =
  'Choose another version, or set another Python version with "python" under [tool.toolkit].';
const WHEELS_FOUND =
  /(?:we only found wheels for `[^`]+`[^:]*with the following [^:]*|Wheels are available for `[^`]+`[^:]*): ([^.]+?)(?: hint:|$)/;
const DISK_FULL = /No space left on device|os error 28/;
const UNAUTHORIZED = /\b(?:401 Unauthorized|403 Forbidden)\b/;

/** Conflicting requirements, and the endpoints that have them. */
class ConflictError extends ToolkitError {
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

/** Whether uv failed because it could not reach a package index. */
export function isUnreachable(stderr: string): boolean {
  return UNREACHABLE.test(stderr) && !UNAUTHORIZED.test(stderr);
}

/** The normalized name of a package without wheels that uv was not allowed to build; null if uv failed for another reason. */
export function needsSource(stderr: string): string | null {
  const flat = stderr.replaceAll(/\s+/g, ' ');
  const named = NEEDS_SOURCE.exec(flat);
  const name = named && (NO_FILES.test(flat) || named[2] !== undefined) ? (named[1] ?? named[2]) : null;
  return name ? normalizeName(name) : null;
}

/** The source distribution that uv could not build; uv builds one to find out what it requires. */
export function failedBuild(stderr: string): { name: string; version: string } | null {
  const [, name, version] = FAILED_BUILD.exec(stderr.replaceAll(/\s+/g, ' ')) ?? [];
  return name && version ? { name: normalizeName(name), version } : null;
}

/**
 * The error for a failed resolution.
 *
 * @param stderr uv's output. The error's cause keeps it, without credentials.
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
  const origins = conflictingRequirements(flat, set).flatMap(({ requirement }) => requirement.origins);
  return new ConflictError(error, new Set(origins.flatMap(({ endpoint }) => endpoint ?? [])));
}

/** `mayDivide`: whether the requirements of fewer endpoints might be resolved. */
type Explanation = [code: ErrorCode, message: string, hint: string, mayDivide?: boolean];

function classify(
  flat: string,
  set: RequirementSet,
  python: string,
  fromSource: readonly string[],
): Explanation {
  const unbuilt = BUILD_FAILED.test(flat)
    ? fromSource.find((name) => flat.includes(name) || flat.includes(name.replaceAll('-', '_')))
    : undefined;
  if (unbuilt) {
    return [
      'DEPENDENCY_NO_WHEEL',
      `${subject(unbuilt, set)} has only a source distribution, and building it failed.`,
      'Choose a version that has a wheel, or build a wheel yourself and add the line "--find-links FOLDER" to requirements.txt.',
    ];
  }
  if (DISK_FULL.test(flat)) {
    return [
      'DISK_FULL',
      'The requirements could not be resolved: the disk is full.',
      "Free some space for uv's cache and TOOLKIT_HOME, and build again.",
    ];
  }
  const unauthorized = UNAUTHORIZED.exec(flat);
  if (unauthorized) {
    return [
      'DOWNLOAD_FAILED',
      `${hostIn(flat)} denied access (${unauthorized[0]}).`,
      'Check the credentials of the index in the configuration of pip or uv.',
    ];
  }
  const notCached = NOT_CACHED.exec(flat)?.[1];
  if (UNREACHABLE.test(flat)) {
    const host = hostIn(flat);
    if (notCached) {
      return [
        'DOWNLOAD_FAILED',
        `${subject(notCached, set)} is not in uv's cache, and ${host.replace('The ', 'the ')} cannot be reached.`,
        'Check your network and the index settings of pip or uv. After one build, later builds do not need a network.',
      ];
    }
    return [
      'DOWNLOAD_FAILED',
      `The requirements could not be resolved: ${host.replace('The ', 'the ')} cannot be reached.`,
      'Check your network and the index settings of pip or uv, and build again.',
    ];
  }
  if (notCached) {
    return [
      'DOWNLOAD_FAILED',
      `${subject(notCached, set)} is not in uv's cache, and uv is set to work offline.`,
      'Build once with a network. Later builds do not need one.',
    ];
  }
  const notFound = NOT_FOUND.exec(flat)?.[1];
  if (notFound) {
    return [
      'DEPENDENCY_UNRESOLVED',
      `${subject(notFound, set)} does not exist in the package index.`,
      'Check the spelling. A package name can differ from the name of the module that it provides.',
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
  const conflicting = conflictingRequirements(flat, set);
  if (conflicting.length > 1) {
    return ['DEPENDENCY_CONFLICT', conflictSentence(conflicting), CONFLICT_HINT, true];
  }
  const noVersion = NO_VERSION.test(flat) ? conflicting[0] : undefined;
  if (noVersion) {
    return [
      'DEPENDENCY_UNRESOLVED',
      `No version satisfies ${redact(noVersion.requirement.text)} (${noVersion.origin}).`,
      'Require a version that exists.',
    ];
  }
  const reason = /cause: (?:Because )?(.*?)(?: hint:|$)/.exec(flat)?.[1] ?? flat.replace(/^error: /, '');
  return [
    'DEPENDENCY_UNRESOLVED',
    `The requirements could not be resolved: ${sentence(reason)}`,
    'Change the requirements that this message names.',
    true,
  ];
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

const CONFLICT_HINT = 'Change one of them so that one version satisfies both.';

function conflictSentence(conflicting: readonly { requirement: Requirement; origin: string }[]): string {
  const sides = conflicting.map(({ requirement, origin }) => `${redact(requirement.text)} (${origin})`);
  return `These requirements conflict: ${sides.join(' and ')}.`;
}

function hostIn(flat: string): string {
  const host = /https?:\/\/([^/\s)`]+)/.exec(flat)?.[1];
  return host ? `The package index ${host}` : 'The package index';
}

/** The error for a version that has wheels, but none for the target. */
export function wheelsElsewhere(
  name: string,
  version: string,
  tags: readonly string[],
  set: RequirementSet,
  python: string,
): ToolkitError {
  return new ToolkitError(
    'DEPENDENCY_NO_WHEEL',
    `${subject(name, set, version)} has no wheel for Python ${python} on Linux x86_64 (it has wheels for ${tags.join(', ')}).`,
    { hint: NO_WHEEL_HINT },
  );
}

/** The requirements that uv's explanation names after "you require". */
function conflictingRequirements(
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

/** A package's name, optionally with its version, and what requires it if it is a requirement of the project. */
export function subject(name: string, set: RequirementSet, version?: string): string {
  const requirement = set.requirements.find((candidate) => candidate.name === normalizeName(name));
  const what = version === undefined ? name : `${name} ${version}`;
  return requirement ? `${what} (${originOf(requirement)})` : what;
}

function originOf(requirement: Requirement): string {
  const who = [...new Set(requirement.origins.map((origin) => origin.who))];
  return `required by ${who.map((one) => one.replace(/^The /, 'the ')).join(', ')}`;
}

function sentence(text: string): string {
  const short = text.length > 300 ? `${text.slice(0, 300)}…` : text;
  return /[.…]$/.test(short) ? short : `${short}.`;
}
