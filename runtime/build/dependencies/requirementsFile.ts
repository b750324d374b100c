/** requirements.txt → requirements, constraints and index options, `-r` and `-c` followed. Runs no installer. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ToolkitError } from '../../contract/errors.ts';
import { redact } from './redact.ts';

/** What requirement files say, flattened. */
export interface RequirementLines {
  requirements: { text: string; place: string }[];
  constraints: string[];
  /** Lines such as `--extra-index-url …`, for the resolver; paths in them are absolute. */
  options: string[];
  /** Lines that name the project itself (`-e .[gpu]`): the optional groups they want. */
  ownGroups: { groups: string[]; place: string }[];
  /** Requirement lines with `--hash`: one of these is the wheel's, each as `sha256:…`. */
  hashes: { text: string; place: string; allowed: string[] }[];
}

const INCLUDE = /^(?:-r|--requirement)[\s=]*(.+)$/;
const CONSTRAIN = /^(?:-c|--constraint)[\s=]*(.+)$/;
const EDITABLE = /^(?:-e|--editable)[\s=]+(.+)$/;
const OWN_PROJECT = /^(?:(?:-e|--editable)[\s=]+)?\.\/?(?:\[([^\]]*)\])?$/;
const FIND_LINKS = /^(?:-f|--find-links)[\s=]+(.+)$/;
const INDEX_OPTION = /^(?:-i|--index-url|--extra-index-url|--no-index|--pre|--trusted-host)\b/;
/** What a build does anyway. */
const NEEDLESS_OPTION = /^--(?:only-binary|prefer-binary|require-hashes)\b/;
const HASH = /\s--hash[\s=]+(\w+:[0-9A-Fa-f]+)/g;
const PER_REQUIREMENT_OPTIONS = /\s+--(?:hash|config-settings|global-option)[\s=].*$/;

/**
 * Reads a requirements file of the project, if there is one.
 *
 * @param file Relative to the root, with `/`.
 * @throws ToolkitError REQUIREMENT_INVALID with file and line.
 */
export async function readRequirementsFile(root: string, file: string): Promise<RequirementLines> {
  const found: RequirementLines = {
    requirements: [],
    constraints: [],
    options: [],
    ownGroups: [],
    hashes: [],
  };
  await follow(root, file, null, false, found, new Set());
  return found;
}

async function follow(
  root: string,
  file: string,
  includedAt: string | null,
  isConstraint: boolean,
  found: RequirementLines,
  seen: Set<string>,
): Promise<void> {
  const absolute = path.resolve(root, file);
  const key = `${absolute}${isConstraint ? ' -c' : ''}`;
  if (seen.has(key)) return;
  seen.add(key);
  const text = await readText(absolute, file, includedAt);
  if (text === null) return;
  for (const { line, number } of logicalLines(text)) {
    const place = `${file}:${number}`;
    const other = (target: string) =>
      path.isAbsolute(target.trim())
        ? target.trim()
        : path.posix.join(path.posix.dirname(file), target.trim());
    const include = INCLUDE.exec(line)?.[1];
    const constrain = CONSTRAIN.exec(line)?.[1];
    const own = OWN_PROJECT.exec(line);
    const links = FIND_LINKS.exec(line)?.[1];
    if (include) await follow(root, other(include), place, isConstraint, found, seen);
    else if (constrain) await follow(root, other(constrain), place, true, found, seen);
    else if (own) found.ownGroups.push({ groups: (own[1] ?? '').split(/[\s,]+/).filter(Boolean), place });
    else if (links) found.options.push(`--find-links ${absoluteLinks(root, other, links.trim())}`);
    else if (INDEX_OPTION.test(line)) found.options.push(line);
    else if (NEEDLESS_OPTION.test(line)) continue;
    else if (EDITABLE.test(line) || /^\.{0,2}\//.test(line)) refuseLocal(line, place);
    else if (line.startsWith('-')) refuseOption(line, place);
    else takeRequirement(line, place, isConstraint, found);
  }
}

function takeRequirement(line: string, place: string, isConstraint: boolean, found: RequirementLines): void {
  const text = line.replace(PER_REQUIREMENT_OPTIONS, '');
  const allowed = [...line.matchAll(HASH)].map((match) => match[1]!.toLowerCase());
  if (allowed.length > 0) found.hashes.push({ text, place, allowed });
  if (isConstraint) found.constraints.push(text);
  else found.requirements.push({ text, place });
}

async function readText(absolute: string, file: string, includedAt: string | null): Promise<string | null> {
  try {
    return (await readFile(absolute, 'utf8')).replace(/^\uFEFF/, '');
  } catch (cause) {
    if (includedAt === null && cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
      return null;
    const from = includedAt === null ? '' : `${includedAt}: `;
    throw new ToolkitError('REQUIREMENT_INVALID', `${from}The requirements file ${file} cannot be read.`, {
      hint: 'Add the file, or remove the line that names it.',
      cause,
    });
  }
}

/** Lines joined at a trailing backslash, without comments and blank ones, numbered from 1. */
function* logicalLines(text: string): Generator<{ line: string; number: number }> {
  let held = '';
  let start = 0;
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    if (held === '') start = index + 1;
    if (raw.endsWith('\\')) {
      held += `${raw.slice(0, -1)} `;
      continue;
    }
    const line = (held + raw).replace(/(^|\s)#.*$/, '').trim();
    held = '';
    if (line !== '') yield { line, number: start };
  }
}

function absoluteLinks(root: string, other: (target: string) => string, links: string): string {
  return /^[a-z]+:\/\//i.test(links) || path.isAbsolute(links) ? links : path.resolve(root, other(links));
}

function refuseLocal(line: string, place: string): never {
  if (line.endsWith('.whl')) {
    throw new ToolkitError(
      'REQUIREMENT_INVALID',
      `${place}: "${redact(line)}" is a file, which needs a name.`,
      {
        hint: `Write "--find-links ${path.posix.dirname(line.replace(EDITABLE, '$1'))}" and the distribution's name in a line of its own.`,
      },
    );
  }
  throw new ToolkitError(
    'REQUIREMENT_INVALID',
    `${place}: "${redact(line)}" is a local folder, which a build does not install.`,
    {
      hint: "The project's own files ship as they are: write -e . for them. Name other packages by their distribution.",
    },
  );
}

function refuseOption(line: string, place: string): never {
  throw new ToolkitError(
    'REQUIREMENT_INVALID',
    `${place}: The option "${redact(line)}" is not supported in a requirements file.`,
    {
      hint: 'Remove the line, or set it in the configuration of pip or uv.',
    },
  );
}
