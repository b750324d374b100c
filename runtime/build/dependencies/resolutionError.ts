/** uv's output after a failed resolution → one sentence that names the package and what requires it. */
import { type ErrorCode, ToolkitError } from '../../contract/errors.ts';
import { redact } from '../../source/environment/redact.ts';
import { addressError } from './addressError.ts';
import { locationError } from './locationError.ts';
import { subject } from './requiredBy.ts';
import {
  CONFLICT_HINT,
  ConflictError,
  conflictingRequirements,
  conflictSentence,
  noVersionSentence,
} from './requirementConflict.ts';
import type { RequirementSet } from './requirements.ts';
import { cacheError } from './uvCache.ts';
import { isUnreachable, NAME, UNAUTHORIZED } from './uvSentences.ts';

const NOT_CACHED = new RegExp(`${NAME} was not found in the cache`);
const NOT_FOUND = new RegExp(`${NAME} was not found in the (?:package registry|provided package locations)`);
const NO_VERSION = new RegExp(
  `(?:there is no version of|there are no versions of|only .* (?:is|are) available.*?) ?${NAME}?`,
);
const NO_WHEEL = new RegExp(
  `${NAME}(?:\\[[^\\]]*\\])?(?:[=<>!~][^ ]*)? (?:has|have) no (?:usable wheels|wheels with a matching)`,
);
const BUILD_FAILED = /Failed to (?:build|download and build|resolve requirements from|install requirements)/;
const NO_WHEEL_HINT =
  'Choose another version, or set another Python version with "python" under [tool.toolkit].';
const WHEELS_FOUND =
  /(?:we only found wheels for `[^`]+`[^:]*with the following [^:]*|Wheels are available for `[^`]+`[^:]*): ([^.]+?)(?: hint:|$)/;
const MOST_TAGS = 6;
const DISK_FULL = /No space left on device|os error 28/;

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
  // Neither is a failure of the requirements or of an index.
  const other = cacheError(stderr) ?? addressError(stderr, set) ?? locationError(stderr, set);
  if (other) return other;
  // Warnings about other packages come before the error.
  const said = redact(stderr)
    .replace(/^warning: [^]*?(?=^error: )/m, '')
    .trim();
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
  if (isUnreachable(flat)) {
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
      noVersionSentence(flat, noVersion, set),
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

/** Some packages have a hundred wheels. Those for Linux x86_64 come first: another Python version would have one. */
function fewOf(tags: readonly string[]): string {
  const [here = [], elsewhere = []] = [true, false].map((is) =>
    tags.filter((tag) => /linux.*x86_64/.test(tag) === is),
  );
  const all = [...here, ...elsewhere];
  const more = all.length > MOST_TAGS ? [`${all.length - MOST_TAGS} others`] : [];
  return [...all.slice(0, MOST_TAGS), ...more].join(', ');
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
    `${subject(name, set, version)} has no wheel for Python ${python} on Linux x86_64 (it has wheels for ${fewOf(tags)}).`,
    { hint: NO_WHEEL_HINT },
  );
}

function sentence(text: string): string {
  const short = text.length > 300 ? `${text.slice(0, 300)}…` : text;
  return /[.…]$/.test(short) ? short : `${short}.`;
}
