/** A requirements file → its lines, by kind. Does not read other files and rejects nothing. */
import path from 'node:path';
import type { Range } from '../../contract/diagnostic.ts';
import { expandVariables } from './expandVariables.ts';
import { isRepository } from './requirementFault.ts';

interface LinePlace {
  /** Without comments, with continuation lines joined. */
  line: string;
  /** The text of its first line in the file. */
  range: Range;
}

/** One line of a requirements file. */
export type RequirementLine = LinePlace &
  (
    | {
        kind: 'requirement';
        /** In the form that a resolver accepts, without per-requirement options. */
        text: string;
        /** The values of `--hash` and of `#sha256=` in a URL, each as `sha256:…`. */
        hashes: string[];
      }
    /** `-r`, or `-c`, whose requirements only limit versions. The file is a URL, or relative to the root. */
    | { kind: 'include' | 'constraint'; file: string }
    /** The project itself (`-e .[gpu]`), with its optional groups. */
    | { kind: 'own'; groups: string[] }
    | { kind: 'links'; target: string }
    /** An option for the resolver, such as `--extra-index-url`. */
    | { kind: 'option' }
    /** `--only-binary`, with names of packages, `:all:` or `:none:`. */
    | { kind: 'onlyBinary'; names: string[] }
    | { kind: 'requireHashes' }
    /** An option for something that a build does anyway. */
    | { kind: 'needless' }
    /** A local folder or file. */
    | { kind: 'local'; target: string }
    /** An option that needs a value and has none. */
    | { kind: 'incomplete' }
    | { kind: 'unsupported' }
  );

/** An option with its value: up to a `-` after a space that is not in quotes. */
const OPTION = /(?:"[^"]*"|'[^']*'|\S)(?:"[^"]*"|'[^']*'|\S|\s(?!\s*-))*/g;
const COMMENT = /(?:^|\s)#.*$/;
const INCLUDE = /^(?:-r|--requirement)[\s=]*(.+)$/;
const CONSTRAIN = /^(?:-c|--constraint)[\s=]*(.+)$/;
const EDITABLE = /^(?:-e|--editable(?=[\s=]))[\s=]*(.+)$/;
const OWN_PROJECT = /^(?:file:)?\.(?:\/\.?)?(?:\[([^\]]*)\])?(?:#egg=\S*)?$/;
const LOCAL = /^\.{0,2}\/|^(?![a-z+]+:\/)[^@;\s]+\.whl(?:$|[\s;[])/;
const FIND_LINKS = /^(?:-f|--find-links(?=[\s=]))[\s=]*(.+)$/;
const INDEX_OPTION = /^(?:-i|--index-url|--extra-index-url|--no-index|--pre|--trusted-host)\b/;
const ONLY_BINARY = /^--only-binary[\s=]+(\S+)/;
const REQUIRE_HASHES = /^--require-hashes\b/;
const INCOMPLETE =
  /^(?:-r|--requirement|-c|--constraint|-e|--editable|-f|--find-links|-i|--index-url|--extra-index-url|--trusted-host|--only-binary)\s*=?\s*(?:""|'')?$/;
const NEEDLESS_OPTION = /^--prefer-binary\b/;
const HASH = /(?:\s--hash[\s=]+|[#&](?=sha256=))(\w*)[:=]?([^\s&]*)/g;
const PER_REQUIREMENT_OPTIONS = /\s+--(?:hash|config-settings|global-option)[\s=].*$/;

/**
 * The text of a requirements file: UTF-8, or UTF-16 with a byte order mark, as PowerShell writes it. Null for any other
 * encoding.
 */
export function decodeRequirements(bytes: Buffer): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // UTF-16 without a byte order mark is valid UTF-8, with a null character in each pair of bytes.
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/**
 * Splits a requirements file into lines, and lines with several options into one for each.
 *
 * @param file - The file's path relative to the root; paths in the file are relative to its folder.
 * @param env - Has the variables in these paths.
 */
export function requirementLines(text: string, file: string, env: NodeJS.ProcessEnv): RequirementLine[] {
  return [...logicalLines(text)].flatMap((place) =>
    itemsOf(place).map(({ line, range }) => ({ line, range, ...kindOf(line, file, env) })),
  );
}

/** The options of a line, such as `--no-index --find-links wheels`, or else the whole line. */
function itemsOf(place: LinePlace): LinePlace[] {
  const { line, range } = place;
  const options = line.startsWith('-') ? [...line.matchAll(OPTION)] : [];
  if (options.length < 2) return [place];
  const { start, end } = range;
  return options.map(({ 0: option, index }) => {
    const character = Math.min(start.character + index, end.character);
    const last = Math.min(character + option.trimEnd().length, end.character);
    return {
      line: option.trim(),
      range: { start: { ...start, character }, end: { ...end, character: last } },
    };
  });
}

/** Whether a path in a line of a requirements file is a URL. */
export function isUrl(target: string): boolean {
  return /^[a-z][a-z+.-]*:\/\//i.test(target);
}

/** A path in a line of a requirements file, made relative to the root. A URL is unchanged. */
export function besideFile(file: string, target: string): string {
  const trimmed = target.trim();
  if (isUrl(trimmed)) return trimmed;
  return path.isAbsolute(trimmed) ? trimmed : path.posix.join(path.posix.dirname(file), trimmed);
}

type Kind<Line = RequirementLine> = Line extends unknown ? Omit<Line, keyof LinePlace> : never;

function kindOf(line: string, file: string, env: NodeJS.ProcessEnv): Kind {
  const pathIn = (target: string) => expandVariables(unquote(target), env);
  if (INCOMPLETE.test(line)) return { kind: 'incomplete' };
  const include = INCLUDE.exec(line)?.[1];
  if (include) return { kind: 'include', file: besideFile(file, pathIn(include)) };
  const constrain = CONSTRAIN.exec(line)?.[1];
  if (constrain) return { kind: 'constraint', file: besideFile(file, pathIn(constrain)) };
  const editable = EDITABLE.exec(line)?.[1];
  const target = editable === undefined ? line : unquote(editable);
  const own = OWN_PROJECT.exec(target);
  if (own) return { kind: 'own', groups: (own[1] ?? '').split(/[\s,]+/).filter(Boolean) };
  const links = FIND_LINKS.exec(line)?.[1];
  if (links) return { kind: 'links', target: pathIn(links) };
  if (INDEX_OPTION.test(line)) return { kind: 'option' };
  const onlyBinary = ONLY_BINARY.exec(line)?.[1];
  if (onlyBinary) return { kind: 'onlyBinary', names: onlyBinary.split(',') };
  if (REQUIRE_HASHES.test(line)) return { kind: 'requireHashes' };
  if (NEEDLESS_OPTION.test(line)) return { kind: 'needless' };
  if (editable === undefined ? LOCAL.test(target) : !isRepository(target)) return { kind: 'local', target };
  if (target.startsWith('-')) return { kind: 'unsupported' };
  return {
    kind: 'requirement',
    text: target.replace(PER_REQUIREMENT_OPTIONS, ''),
    hashes: [...line.matchAll(HASH)].map(([, kind, value]) => `${kind}:${value}`.toLowerCase()),
  };
}

/** The value of an option, which can be quoted as in a shell. */
function unquote(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/, '$2');
}

/**
 * Yields lines that are joined at a trailing backslash, without comments and blank lines. A comment ends at the end of its
 * line, even if that is a backslash.
 */
function* logicalLines(text: string): Generator<LinePlace> {
  const written = text.split(/\r\n|\r|\n/);
  let held = '';
  let range: Range | null = null;
  for (const [index, raw] of written.entries()) {
    const plain = raw.replace(COMMENT, '');
    const isContinued = plain === raw && raw.endsWith('\\');
    const own = isContinued ? raw.slice(0, -1) : plain;
    if (own.trim() !== '') range ??= rangeOf(own, index);
    held += isContinued ? `${own} ` : own;
    if (isContinued && index + 1 < written.length) continue;
    if (range) yield { line: held.trim(), range };
    held = '';
    range = null;
  }
}

/** The range of a line's text without the spaces around it. */
function rangeOf(text: string, line: number): Range {
  const character = text.length - text.trimStart().length;
  return { start: { line, character }, end: { line, character: text.trimEnd().length } };
}
