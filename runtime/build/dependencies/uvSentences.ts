/** uv's output → what it says about a package or an index. */
import { normalizeName } from '../../source/environment/distributionName.ts';

/** The pattern of a package's name in a sentence. */
export const NAME = String.raw`([A-Za-z0-9][A-Za-z0-9._-]*)`;
const NEEDS_SOURCE = new RegExp(
  `Wheels are required for \`${NAME}\` because building from source is disabled|Building source distributions for \`?${NAME}\`? is disabled`,
);
const NO_FILES = new RegExp(`${NAME}(?:==[^ ]+)? ha(?:s|ve) no usable wheels`);
const FAILED_BUILD = new RegExp(`Failed to (?:download and )?build \`${NAME}==([^\`\\s]+)\``);
const UNREACHABLE =
  /Failed to fetch|error sending request|dns error|tcp connect error|Network is unreachable|Request failed/;
/** An index that requires other credentials. */
export const UNAUTHORIZED = /\b(?:401 Unauthorized|403 Forbidden)\b/;

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
