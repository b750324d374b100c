/** requirements.txt → requirements, constraints and index options. Follows `-r` and `-c`. Runs no installer. */
import path from 'node:path';
import { ToolkitError } from '../../contract/errors.ts';
import { SDK_DISTRIBUTION } from '../../contract/names.ts';
import { requirementName } from '../../source/environment/distributionName.ts';
import { redact } from '../../source/environment/redact.ts';
import { besideFile, isUrl, requirementLines } from '../../source/environment/requirementLines.ts';
import { requirementsText } from './requirementsText.ts';

/** The contents of a requirements file and the files that it includes. */
export interface RequirementLines {
  requirements: { text: string; place: string }[];
  constraints: string[];
  /** Lines for the resolver such as `--extra-index-url …`, with absolute paths. */
  options: string[];
  /** Lines that name the project itself (`-e .[gpu]`), with the optional groups in them. */
  ownGroups: { groups: string[]; place: string }[];
  /** Requirement lines with `--hash`. The wheel must have one of the `allowed` hashes, each written as `sha256:…`. */
  hashes: { text: string; place: string; allowed: string[] }[];
  /** The place of the first `--require-hashes`; null if there is none. */
  requireHashes: string | null;
  /** Lines with `--only-binary`, in order. Each name is that of a package, `:all:` or `:none:`. */
  onlyBinary: { names: string[]; place: string }[];
}

/** `NAME==VERSION`, without a wildcard, or `NAME @ URL`. */
const PINNED = /^[\w.-]+\s*(?:\[[^\]]*\]\s*)?(?:@|\(?\s*={2,3}[^*,;]+(?:;|$))/;

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
    onlyBinary: [],
    requireHashes: null,
  };
  await follow(root, file, null, false, found, new Set());
  if (found.requireHashes !== null) refuseUnpinned(found, found.requireHashes);
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
  const key = `${path.resolve(root, file)}${isConstraint ? ' -c' : ''}`;
  if (seen.has(key)) return;
  seen.add(key);
  const text = await requirementsText(root, file, includedAt);
  if (text === null) return;
  for (const item of requirementLines(text, file)) {
    const place = `${file}:${item.number}`;
    switch (item.kind) {
      case 'include':
        refuseUrl(item.file, false, place);
        await follow(root, item.file, place, isConstraint, found, seen);
        break;
      case 'constraint':
        refuseUrl(item.file, true, place);
        await follow(root, item.file, place, true, found, seen);
        break;
      case 'own':
        found.ownGroups.push({ groups: item.groups, place });
        break;
      case 'links':
        found.options.push(`--find-links ${absoluteLinks(root, file, item.target)}`);
        break;
      case 'option':
        found.options.push(item.line);
        break;
      case 'onlyBinary':
        found.onlyBinary.push({ names: item.names, place });
        break;
      case 'requireHashes':
        found.requireHashes ??= place;
        break;
      case 'needless':
        break;
      case 'local':
        refuseLocal(item.line, item.target, place);
        break;
      case 'unsupported':
        refuseOption(item.line, place);
        break;
      case 'requirement':
        if (item.hashes.length > 0) {
          refuseOtherKinds(item.text, item.hashes, place);
          found.hashes.push({ text: item.text, place, allowed: item.hashes });
        }
        if (isConstraint) found.constraints.push(item.text);
        else found.requirements.push({ text: item.text, place });
    }
  }
}

function refuseUrl(file: string, isConstraint: boolean, place: string): void {
  if (!isUrl(file)) return;
  const what = isConstraint ? 'Constraints' : 'Requirements';
  throw new ToolkitError('REQUIREMENT_INVALID', `${place}: ${what} from a URL are not supported.`, {
    hint: 'Download the file, and write its path.',
  });
}

function absoluteLinks(root: string, file: string, links: string): string {
  return isUrl(links) ? links : path.resolve(root, besideFile(file, links));
}

/** A line needs no hash of its own if another line or a constraint pins the package with one. */
function refuseUnpinned({ requirements, hashes }: RequirementLines, requiredAt: string): void {
  const pinned = new Set(
    hashes.filter(({ text }) => PINNED.test(text)).map(({ text }) => requirementName(text)),
  );
  for (const { text, place } of requirements) {
    const name = requirementName(text);
    if (name === SDK_DISTRIBUTION || name === null || pinned.has(name)) continue;
    throw new ToolkitError(
      'REQUIREMENT_INVALID',
      `${place}: "${redact(text)}" must be pinned with == and have a --hash, because of --require-hashes (${requiredAt}).`,
      { hint: `Write it as "${name}==VERSION --hash=sha256:HASH".` },
    );
  }
}

function refuseOtherKinds(text: string, hashes: readonly string[], place: string): void {
  if (hashes.some((one) => one.startsWith('sha256:'))) return;
  throw new ToolkitError(
    'REQUIREMENT_INVALID',
    `${place}: The --hash of "${redact(text)}" is not a sha256 hash, which is the only kind that a build checks.`,
    { hint: 'Add the sha256 hash of the file, which "pip hash FILE" prints.' },
  );
}

function refuseLocal(line: string, target: string, place: string): never {
  const file = target.replace(/[\s;[].*$/, '');
  if (file.endsWith('.whl')) {
    throw new ToolkitError(
      'REQUIREMENT_INVALID',
      `${place}: "${redact(line)}" is the path of a wheel, without the name of its package.`,
      {
        hint: `Write "--find-links ${path.posix.dirname(file)}", and the name of the package on its own line.`,
      },
    );
  }
  if (/\.(?:zip|tar\.\w+|tgz)$/.test(file)) {
    throw new ToolkitError(
      'REQUIREMENT_INVALID',
      `${place}: "${redact(line)}" is the path of an archive, without the name of its package.`,
      { hint: 'Write "NAME @ file:///path/to/the.tar.gz".' },
    );
  }
  throw new ToolkitError(
    'REQUIREMENT_INVALID',
    `${place}: "${redact(line)}" is a local folder, which a build cannot install.`,
    {
      hint: 'For the project itself, write "-e .". For another package, build a wheel and write "NAME @ file:///path/to/the.whl".',
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
