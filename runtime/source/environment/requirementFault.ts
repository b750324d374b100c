/**
 * A requirement as written → why a build rejects it. Checks only its form and does not query a package index.
 */
import { requirementName } from './distributionName.ts';
import { isMarker, splitMarker } from './marker.ts';
import { redact } from './redact.ts';
import { isSpecifier } from './versionSpecifier.ts';

/** What is wrong with a requirement. */
export interface RequirementFault {
  /**
   * Completes a sentence that begins with the name of the declaring file or endpoint:
   * `requires "a b", which is not a valid requirement`.
   */
  problem: string;
  fix: string;
}

const REPOSITORY = /^(?:[^@]+@\s*)?(?:git|hg|svn|bzr)\+/;
const PLAIN_ADDRESS = /^(?:https?|file):/;
const LOCAL_FOLDER = /@\s*(?:\.{1,2}\/|\/|file:)(?!.*\.(?:whl|zip|tar\.gz|tgz)(?:$|[\s#;]))/;
/** After the name's `@`, an address that is neither absolute nor begins with a variable. */
const RELATIVE_ADDRESS =
  /^[^@;]+@\s*(?!https?:\/\/|file:\/(?!\/)|file:\/\/(?:localhost)?\/|(?:file:\/\/)?\$\{)\S/;

/** Extras and versions, which can be in parentheses. */
const PARTS = /^[\w.-]+\s*(?:\[([^\]]*)\])?\s*\(?([^@()]*)\)?$/;
const EXTRAS = /^\s*[A-Za-z0-9][\w.-]*(?:\s*,\s*[A-Za-z0-9][\w.-]*)*\s*$/;

/** Whether a requirement names a repository, such as `git+https://…` or `name @ git+https://…`. */
export function isRepository(requirement: string): boolean {
  return REPOSITORY.test(requirement);
}

/** Null for a requirement that a build can try to install. */
export function requirementFault(written: string): RequirementFault | null {
  const text = written.trim();
  const fault = (what: string, fix: string) => ({
    problem: `requires ${JSON.stringify(redact(text))}, ${what}`,
    fix,
  });
  if (isRepository(text)) {
    return fault(
      'a repository, which a build cannot install',
      'Use the archive of a tag instead: "NAME @ https://github.com/OWNER/REPO/archive/TAG.tar.gz".',
    );
  }
  if (PLAIN_ADDRESS.test(text)) {
    return fault('a URL without a name', `Write it as "NAME @ ${redact(text)}".`);
  }
  if (LOCAL_FOLDER.test(text)) {
    return fault(
      'a local folder, which a build cannot install',
      'Build a wheel of it and write "NAME @ file:///path/to/the.whl". Or write two lines in requirements.txt: "--find-links FOLDER" and NAME.',
    );
  }
  if (RELATIVE_ADDRESS.test(text)) {
    return fault(
      'whose address is not absolute',
      'Write "NAME @ https://…" or "NAME @ file:///path/to/the.whl". For a file of the project, write two lines in requirements.txt: "--find-links FOLDER" and NAME.',
    );
  }
  if (requirementName(text) === null) {
    return fault(
      'which is not a valid requirement',
      'Write a package name with an optional version, such as "requests>=2.31".',
    );
  }
  const [before, marker] = splitMarker(text);
  const [, extras = '', versions = ''] = PARTS.exec(before) ?? [];
  if (extras !== '' && !EXTRAS.test(extras)) {
    return fault('whose extras are not valid', 'Write their names with commas between them.');
  }
  if (versions !== '' && !isSpecifier(versions)) {
    return fault('whose version is not valid', 'For example: ">=2.31,<3", "~=2.31" or "==2.31.*".');
  }
  if (marker === null || isMarker(marker)) return null;
  return fault(
    'which has an invalid marker',
    'Write a condition after the ";", such as python_version < "3.12", or remove it.',
  );
}
