/** requirements.txt → requirements, constraints and index options, and the lines that a build refuses. Follows `-r` and `-c`. */
import path from 'node:path';
import type { Range } from '../../contract/diagnostic.ts';
import { requirementName } from './distributionName.ts';
import { isPinned } from './parseRequirement.ts';
import { type LineFault, requirementLineFault, unpinnedFault } from './requirementLineFault.ts';
import { besideFile, isUrl, type RequirementLine, requirementLines } from './requirementLines.ts';
import { requirementsText } from './requirementsText.ts';

/** A line of a requirements file. */
export interface LineLocation {
  /** Relative to the root, with `/`. */
  file: string;
  range: Range;
}

/** A line that a build refuses. */
export type FaultyLine = LineFault & LineLocation;

/** The contents of a requirements file and the files that it includes. */
export interface RequirementLines {
  requirements: { text: string; at: LineLocation }[];
  constraints: string[];
  /** Lines for the resolver such as `--extra-index-url …`, with absolute paths. */
  options: string[];
  /** The `--find-links` among them: a URL or an absolute path. */
  links: { target: string; at: LineLocation }[];
  /** Lines that name the project itself (`-e .[gpu]`), with the optional groups in them. */
  ownGroups: { groups: string[]; at: LineLocation }[];
  /** Requirement lines with `--hash`. The wheel must have one of the `allowed` hashes, each written as `sha256:…`. */
  hashes: { text: string; at: LineLocation; allowed: string[] }[];
  /** The first `--require-hashes`; null if there is none. */
  requireHashes: LineLocation | null;
  /** Lines with `--only-binary`, in order. Each name is that of a package, `:all:` or `:none:`. */
  onlyBinary: { names: string[]; at: LineLocation }[];
  /** The lines that a build refuses, in order. */
  faults: FaultyLine[];
  /** Whether there may be requirements that could not be read: a local folder, or a file that cannot be read. */
  isOpen: boolean;
}

/** The range of a fault of a whole file. */
export const START_OF_FILE: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/**
 * Reads a requirements file of the project, if there is one.
 *
 * @param file - Relative to the root, with `/`.
 * @param env - Has the variables in the paths of the files that it names.
 */
export function readRequirementsFile(root: string, file: string, env: NodeJS.ProcessEnv): RequirementLines {
  const reader = new Reader(root, env);
  reader.follow(file, null, false);
  return reader.found;
}

/** The file and line number of a line, for a message. */
export function placeOf({ file, range }: LineLocation): string {
  return `${file}:${range.start.line + 1}`;
}

class Reader {
  readonly found: RequirementLines = {
    requirements: [],
    constraints: [],
    options: [],
    links: [],
    ownGroups: [],
    hashes: [],
    requireHashes: null,
    onlyBinary: [],
    faults: [],
    isOpen: false,
  };
  readonly #root: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #followed = new Set<string>();

  constructor(root: string, env: NodeJS.ProcessEnv) {
    this.#root = root;
    this.#env = env;
  }

  /**
   * Reads a file and the files that it includes, each once.
   *
   * @param includedAt - The line that includes it; null for the project's own file.
   * @param isConstraint - Whether its requirements only limit versions.
   */
  follow(file: string, includedAt: LineLocation | null, isConstraint: boolean): void {
    const key = `${path.resolve(this.#root, file)}${isConstraint ? ' -c' : ''}`;
    if (this.#followed.has(key)) return;
    this.#followed.add(key);
    const read = requirementsText(this.#root, file, includedAt !== null);
    if (read === null) return;
    if ('text' in read) {
      for (const item of requirementLines(read.text, file, this.#env)) this.#take(item, file, isConstraint);
    } else {
      this.found.faults.push({ ...(includedAt ?? { file, range: START_OF_FILE }), ...read });
      this.found.isOpen = true;
    }
    if (includedAt === null) this.#refuseUnpinned();
  }

  #take(item: RequirementLine, file: string, isConstraint: boolean): void {
    const { found } = this;
    const at: LineLocation = { file, range: item.range };
    const fault = requirementLineFault(item);
    if (fault) found.faults.push({ ...at, ...fault });
    switch (item.kind) {
      case 'include':
      case 'constraint':
        if (!fault) this.follow(item.file, at, isConstraint || item.kind === 'constraint');
        break;
      case 'own':
        found.ownGroups.push({ groups: item.groups, at });
        break;
      case 'links': {
        const target = this.#absolute(file, item.target);
        found.links.push({ target, at });
        found.options.push(`--find-links ${target}`);
        break;
      }
      case 'option':
        found.options.push(item.line);
        break;
      case 'onlyBinary':
        found.onlyBinary.push({ names: item.names, at });
        break;
      case 'requireHashes':
        found.requireHashes ??= at;
        break;
      case 'local':
        found.isOpen = true;
        break;
      case 'requirement':
        if (item.hashes.length > 0) found.hashes.push({ text: item.text, at, allowed: item.hashes });
        if (isConstraint) found.constraints.push(item.text);
        else found.requirements.push({ text: item.text, at });
    }
  }

  #absolute(file: string, links: string): string {
    return isUrl(links) ? links : path.resolve(this.#root, besideFile(file, links));
  }

  /** A line needs no hash of its own if another line or a constraint pins the package with one. */
  #refuseUnpinned(): void {
    const { requirements, hashes, requireHashes, faults } = this.found;
    if (requireHashes === null) return;
    const withHash = hashes.filter(({ text }) => isPinned(text));
    const pinned = new Set(withHash.map(({ text }) => requirementName(text)));
    for (const { text, at } of requirements) {
      const fault = unpinnedFault(text, pinned, placeOf(requireHashes));
      if (fault) faults.push({ ...at, ...fault });
    }
  }
}
