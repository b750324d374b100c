/** One requirement in any of its forms → the distribution that it names, its extras and its marker. */
import { normalizeName, requirementName } from './distributionName.ts';
import { splitMarker } from './marker.ts';

/** A parsed requirement. */
export interface Requirement {
  /** Normalized. */
  name: string;
  /** Normalized. */
  extras: string[];
  /** The text after the `;`; empty when there is none. */
  marker: string;
}

const REPOSITORY = /^(?:git|hg|svn|bzr)\+/;
const ARCHIVE = /\.(?:whl|zip|tar\.gz|tgz|tar\.bz2)$/;
/** `NAME==VERSION`, without a wildcard, or `NAME @ URL`. */
const PINNED = /^[\w.-]+\s*(?:\[[^\]]*\]\s*)?(?:@|\(?\s*={2,3}[^*,;]+(?:;|$))/;
const EGG = /#(?:.*&)?egg=([A-Za-z0-9._-]+)/;

/**
 * Parses `name[extra]>=1; marker`, `name @ url`, `git+https://…`, and the file names of wheels and archives.
 * Null when the text does not name a distribution.
 */
export function parseRequirement(text: string): Requirement | null {
  const written = text.trim();
  const name = requirementName(written) ?? looseName(written) ?? nameOfAddress(written);
  if (name === null) return null;
  const [before, marker] = splitMarker(written);
  const extras = /^[^[;@<>=!~]*\[([^\]]*)\]/.exec(before)?.[1] ?? '';
  return {
    name,
    extras: extras
      .split(',')
      .map((one) => normalizeName(one.trim()))
      .filter((one) => one !== ''),
    marker: marker ?? '',
  };
}

/** Whether a requirement allows exactly one version or one file. */
export function isPinned(requirement: string): boolean {
  return PINNED.test(requirement.trim());
}

/**
 * The name in a requirement from the metadata of an old package, such as `name (>=1.0)`, or with a version
 * that installers no longer accept.
 */
function looseName(text: string): string | null {
  const name =
    /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\]\s*)?(?:\([^)]*\)\s*)?(?:;|@|$)/.exec(
      text,
    )?.[1];
  return name === undefined || ARCHIVE.test(name) ? null : normalizeName(name);
}

function nameOfAddress(text: string): string | null {
  const egg = EGG.exec(text)?.[1];
  if (egg !== undefined) return normalizeName(egg);
  const isRepository = REPOSITORY.test(text);
  const file = text.split(/[?#;]/, 1)[0]!.trim().replace(/\/+$/, '').split('/').at(-1) ?? '';
  if (isRepository) {
    const name = file.replace(/@.*$/, '').replace(/\.git$/, '');
    return /^[A-Za-z0-9][\w.-]*$/.test(name) ? normalizeName(name) : null;
  }
  if (!ARCHIVE.test(file)) return null;
  const name = file.endsWith('.whl') ? file.split('-', 1)[0]! : /^(.+?)-\d/.exec(file)?.[1];
  return name === undefined ? null : normalizeName(name);
}

/** Parentheses, the words between conditions, and the parts of a condition. A quoted string is one token. */
const MARKER_TOKEN = /[()]|'[^']*'|"[^"]*"|[^\s()'"]+/g;

/**
 * Whether a requirement with this marker (PEP 508) may apply with these extras on Linux. All other conditions
 * in the marker count as true.
 */
export function mayApply(marker: string, extras: ReadonlySet<string>): boolean {
  const tokens = marker.match(MARKER_TOKEN) ?? [];
  let at = 0;
  const either = (): boolean => {
    let applies = both();
    for (; tokens[at] === 'or'; applies = both() || applies) at += 1;
    return applies;
  };
  const both = (): boolean => {
    let applies = single();
    for (; tokens[at] === 'and'; applies = single() && applies) at += 1;
    return applies;
  };
  const single = (): boolean => {
    if (tokens[at] === '(') {
      at += 1;
      const applies = either();
      at += 1;
      return applies;
    }
    const start = at;
    while (at < tokens.length && !/^(?:and|or|[()])$/.test(tokens[at]!)) at += 1;
    return mayHold(tokens.slice(start, at).join(''), extras);
  };
  return either();
}

/** Whether one condition, written without whitespace, may be true. */
function mayHold(condition: string, extras: ReadonlySet<string>): boolean {
  const [, variable, operator, value] = /^([a-z_]+)(==|!=)['"]([^'"]*)['"]$/.exec(condition) ?? [];
  if (variable === undefined || value === undefined) return true;
  const isEqual = operator === '==';
  if (variable === 'extra') return extras.has(normalizeName(value)) === isEqual;
  const known = LINUX[variable];
  return known === undefined || (known === value) === isEqual;
}

const LINUX: Readonly<Record<string, string>> = {
  sys_platform: 'linux',
  platform_system: 'Linux',
  os_name: 'posix',
};
