/** A line of a requirements file → why a build refuses it. Reads no other files. */
import path from 'node:path';
import { SDK_DISTRIBUTION } from '../../contract/names.ts';
import { requirementName } from './distributionName.ts';
import { redact } from './redact.ts';
import { requirementFault } from './requirementFault.ts';
import { isUrl, type RequirementLine } from './requirementLines.ts';

/** What is wrong: one sentence, and its fix. */
export interface LineFault {
  message: string;
  fix: string;
}

/** Null for a line that a build can use. */
export function requirementLineFault(item: RequirementLine): LineFault | null {
  switch (item.kind) {
    case 'include':
      return isUrl(item.file) ? fromUrl('Requirements') : null;
    case 'constraint':
      return isUrl(item.file) ? fromUrl('Constraints') : null;
    case 'local':
      return localFault(redact(item.line), item.target);
    case 'incomplete':
      return {
        message: `The option ${item.line.split(/[\s=]/, 1)[0]} has no value.`,
        fix: 'Write its value on the same line, or remove the option.',
      };
    case 'unsupported':
      return {
        message: `A build does not support the option "${redact(item.line)}" of requirements files.`,
        fix: 'Remove this option.',
      };
    case 'requirement':
      return textFault(item.text) ?? otherKindsFault(item.text, item.hashes);
    default:
      return null;
  }
}

/**
 * Null for a requirement that may stand below `--require-hashes`: another line or a constraint can pin its package.
 *
 * @param pinned - Normalized names that a line with a hash pins.
 * @param requiredAt - The place of `--require-hashes`.
 */
export function unpinnedFault(
  text: string,
  pinned: ReadonlySet<string | null>,
  requiredAt: string,
): LineFault | null {
  const name = requirementName(text);
  if (name === SDK_DISTRIBUTION || name === null || pinned.has(name)) return null;
  return {
    message: `"${redact(text)}" must be pinned with == and have a --hash, because of --require-hashes (${requiredAt}).`,
    fix: `Write it as "${name}==VERSION --hash=sha256:HASH".`,
  };
}

function fromUrl(what: string): LineFault {
  return {
    message: `${what} files at a URL are not supported.`,
    fix: 'Download the file, and write its path instead of the URL.',
  };
}

function textFault(text: string): LineFault | null {
  const fault = requirementFault(text);
  return fault && { message: `This line ${fault.problem}.`, fix: fault.fix };
}

function otherKindsFault(text: string, hashes: readonly string[]): LineFault | null {
  if (hashes.length === 0 || hashes.some((one) => one.startsWith('sha256:'))) return null;
  return {
    message: `The --hash of "${redact(text)}" is not a sha256 hash, which is the only kind that a build checks.`,
    fix: 'Add the sha256 hash of the file, which "pip hash FILE" prints.',
  };
}

/** @param shown The line, without credentials. */
function localFault(shown: string, target: string): LineFault {
  const file = target.replace(/[\s;[].*$/, '');
  if (file.endsWith('.whl')) {
    return {
      message: `"${shown}" is the path of a wheel, without the name of its package.`,
      fix: `Write two lines: "--find-links ${path.posix.dirname(file)}" and the name of the package.`,
    };
  }
  if (/\.(?:zip|tar\.\w+|tgz)$/.test(file)) {
    return {
      message: `"${shown}" is the path of an archive, without the name of its package.`,
      fix: 'Write "NAME @ file:///path/to/the.tar.gz".',
    };
  }
  return {
    message: `"${shown}" is a local folder, which a build cannot install.`,
    fix: 'For the project itself, write "-e .". For another package, build a wheel and write "NAME @ file:///path/to/the.whl".',
  };
}
