/** `[project]` of pyproject.toml → the requirements of the project's optional groups, as in `-e .[gpu]`. */
import * as z from 'zod/mini';
import { ToolkitError } from '../../contract/errors.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import { normalizeName, requirementName } from './distributionName.ts';
import { splitMarker, withMarker } from './marker.ts';
import { requirementFault } from './requirementFault.ts';
import type { LineFault } from './requirementLineFault.ts';

/** The project as a distribution. */
export interface OwnProject {
  /** Replaces a requirement of the project itself by the requirements of its groups; returns any other unchanged. */
  expand(text: string, place: string): string[];
  /**
   * The requirements of optional groups.
   *
   * @throws ToolkitError REQUIREMENT_INVALID for a group that does not exist.
   */
  groups(names: readonly string[], place: string): string[];
  /** Why a line of a requirements file cannot name these groups; null if they all exist and can be installed. */
  groupsFault(names: readonly string[]): LineFault | null;
}

const projectTable = z.object({
  project: z.optional(
    z.object({
      name: z.optional(z.string()),
      'optional-dependencies': z.optional(z.record(z.string(), z.array(z.string()))),
    }),
  ),
});

/**
 * Reads the project's name and optional groups.
 *
 * @param document - The tables of pyproject.toml.
 */
export function readOwnProject(document: object): OwnProject {
  const parsed = projectTable.safeParse(document);
  const project = parsed.success ? parsed.data.project : undefined;
  const name = project?.name === undefined ? null : normalizeName(project.name);
  const optional = new Map(
    Object.entries(project?.['optional-dependencies'] ?? {}).map(([group, texts]) => [
      normalizeName(group),
      texts,
    ]),
  );
  const open = (names: readonly string[], place: string, seen: ReadonlySet<string>): string[] =>
    names.flatMap((group) => {
      const key = normalizeName(group);
      if (seen.has(key)) return [];
      const texts = optional.get(key);
      if (!texts) {
        const { message, fix } = noSuchGroup(group, [...optional.keys()]);
        const from = place === PROJECT_FILES.pyproject ? '' : `${place}: `;
        throw new ToolkitError('REQUIREMENT_INVALID', `${from}${message}`, { hint: fix });
      }
      return texts.flatMap((one) => expand(one.trim(), place, new Set([...seen, key])));
    });
  const expand = (one: string, place: string, seen: ReadonlySet<string>): string[] => {
    if (name === null || requirementName(one) !== name) return [one];
    const [, marker] = splitMarker(one);
    return open(extrasOf(one), place, seen).map((text) => withMarker(text, marker));
  };
  return {
    expand: (one, place) => expand(one, place, new Set()),
    groups: (names, place) => open(names, place, new Set()),
    groupsFault: (names) => {
      for (const name of names) {
        const fault = groupFault(name, () => open([name], PROJECT_FILES.pyproject, new Set()));
        if (fault) return fault;
      }
      return null;
    },
  };
}

/** @param open Returns the requirements of the group; throws for a group that does not exist. */
function groupFault(name: string, open: () => string[]): LineFault | null {
  try {
    const fault = open().map(requirementFault).find(Boolean);
    return fault ? { message: `The extra "${name}" ${fault.problem}.`, fix: fault.fix } : null;
  } catch (error) {
    if (!(error instanceof ToolkitError)) throw error;
    return { message: error.message, fix: error.hint! };
  }
}

/** `a`, `b` of `name[a, b]>=1`. */
function extrasOf(requirement: string): string[] {
  const inside = /^[^[;@<>=!~]*\[([^\]]*)\]/.exec(requirement)?.[1] ?? '';
  return inside
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function noSuchGroup(group: string, known: readonly string[]): LineFault {
  return {
    message: `${PROJECT_FILES.pyproject} has no extra "${group}".`,
    fix:
      known.length > 0
        ? `Existing extras: ${known.join(', ')}.`
        : 'Add it under [project.optional-dependencies], or remove the line.',
  };
}
