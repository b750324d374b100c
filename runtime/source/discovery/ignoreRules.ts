/**
 * Decides which files discovery does not read and builds do not ship: by the built-in list and by the ignore
 * files in every folder.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { IGNORED_FOLDERS, NEVER_SHIP } from '../../contract/ignorePatterns.ts';
import { PROJECT_FILES } from '../../contract/names.ts';

const FOLDERS: ReadonlySet<string> = new Set(IGNORED_FOLDERS);

/** Whether folders with this name are never entered. */
export function isIgnoredFolder(name: string): boolean {
  return FOLDERS.has(name);
}

/** The ignore files of one folder and of the folders around it. */
export class IgnoreRules {
  /** Relative to the root, `''` for the root. */
  readonly #folder: string;
  readonly #outer: IgnoreRules | null;
  readonly #both: Ignore;
  /** Only `.toolkitignore` can re-include files on the built-in list. */
  readonly #toolkit: Ignore | null;
  /** The `!` patterns of `.toolkitignore` that contain a slash, as path components. */
  readonly #places: string[][];

  private constructor(folder: string, outer: IgnoreRules | null, git: string | null, toolkit: string | null) {
    this.#folder = folder;
    this.#outer = outer;
    this.#both = ignore({ ignorecase: false, allowRelativePaths: true });
    if (git !== null) this.#both.add(git);
    if (toolkit !== null) this.#both.add(toolkit);
    this.#toolkit =
      toolkit === null ? null : ignore({ ignorecase: false, allowRelativePaths: true }).add(toolkit);
    this.#places = reincludedPlaces(toolkit ?? '');
  }

  /**
   * The rules inside a folder, given its entries: the outer rules, unless the folder has its own ignore file.
   */
  static inside(
    absolute: string,
    folder: string,
    names: ReadonlySet<string>,
    outer: IgnoreRules | null,
  ): IgnoreRules | null {
    const git = names.has('.gitignore') ? readText(path.join(absolute, '.gitignore')) : null;
    const toolkit = names.has(PROJECT_FILES.ignore)
      ? readText(path.join(absolute, PROJECT_FILES.ignore))
      : null;
    return git === null && toolkit === null ? outer : new IgnoreRules(folder, outer, git, toolkit);
  }

  /** Whether an entry is ignored. The innermost ignore file with a matching pattern decides. */
  ignores(entry: string, isFolder: boolean): boolean {
    const { ignored, unignored } = this.#both.test(this.#local(entry, isFolder));
    if (ignored) return true;
    return unignored ? false : (this.#outer?.ignores(entry, isFolder) ?? false);
  }

  /** Whether a `.toolkitignore` lists the entry with `!`. */
  reincludes(entry: string, isFolder: boolean): boolean {
    const result = this.#toolkit?.test(this.#local(entry, isFolder));
    if (result?.unignored) return true;
    return result?.ignored ? false : (this.#outer?.reincludes(entry, isFolder) ?? false);
  }

  /**
   * Whether a `.toolkitignore` lists a path below an ignored folder with `!`, for example `!folder/file.py`.
   */
  reincludesBelow(folder: string): boolean {
    const parts = this.#local(folder, false).split('/');
    const names = this.#places.some(
      (place) => place.length > parts.length && parts.every((part, at) => matches(place[at]!, part)),
    );
    return names || (this.#outer?.reincludesBelow(folder) ?? false);
  }

  #local(entry: string, isFolder: boolean): string {
    const local = this.#folder === '' ? entry : entry.slice(this.#folder.length + 1);
    return isFolder ? `${local}/` : local;
  }
}

/**
 * The `!` patterns that contain a slash. Patterns without a slash apply only in folders that are not ignored.
 */
function reincludedPlaces(text: string): string[][] {
  return text.split(/\r?\n/).flatMap((line) => {
    const pattern = /^!\/?(.+?)\/?\s*$/.exec(line)?.[1];
    return pattern?.includes('/') ? [pattern.split('/')] : [];
  });
}

/**
 * Matches one component of a pattern with one component of a path; `**` in the middle matches exactly one
 * folder.
 */
function matches(pattern: string, name: string): boolean {
  return pattern === name || (/[*?[]/.test(pattern) && globs([pattern.replaceAll('?', '*')]).test(name));
}

/**
 * One matcher for each kind of pattern, compiled once: names with `*`, names of folders, and names at the
 * root.
 */
const never = compileNeverShip(NEVER_SHIP);

/** Whether an entry is on the built-in list of files that never ship. */
export function neverShips(entry: string, name: string, isFolder: boolean): boolean {
  if (never.except.test(name)) return false;
  if (isFolder && never.folders.test(name)) return true;
  return never.names.test(name) || never.atRoot.has(isFolder ? `${entry}/` : entry);
}

/** Whether an entry, or a folder that contains it, is on the built-in list. */
export function isWithheld(entry: string, isFolder: boolean): boolean {
  const names = entry.split('/');
  return names.some((name, at) =>
    neverShips(names.slice(0, at + 1).join('/'), name, isFolder || at < names.length - 1),
  );
}

function compileNeverShip(patterns: readonly string[]) {
  const names: string[] = [];
  const folders: string[] = [];
  const except: string[] = [];
  const atRoot = new Set<string>();
  for (const pattern of patterns) {
    if (pattern.startsWith('/')) atRoot.add(pattern.slice(1));
    else if (pattern.startsWith('!')) except.push(pattern.slice(1));
    else if (pattern.endsWith('/')) folders.push(pattern.slice(0, -1));
    else names.push(pattern);
  }
  return { names: globs(names), folders: globs(folders), except: globs(except), atRoot };
}

/** One expression for a list of names with `*`. It ignores case, so that `.ENV` is excluded too. */
function globs(patterns: readonly string[]): RegExp {
  const sources = patterns.map((pattern) =>
    pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*'),
  );
  return new RegExp(`^(?:${sources.join('|') || '(?!)'})$`, 'i');
}

/** Null when there is no readable file; then nothing is ignored. */
function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
