/** `[project]` in the root's pyproject.toml → the requirements of the project's optional groups, as in `-e .[gpu]`. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import * as z from 'zod/mini';
import { ToolkitError } from '../../contract/errors.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import { normalizeName, requirementName } from '../../source/environment/distributionName.ts';
import { splitMarker, withMarker } from '../../source/environment/marker.ts';

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
}

const projectTable = z.object({
  project: z.optional(
    z.object({
      name: z.optional(z.string()),
      'optional-dependencies': z.optional(z.record(z.string(), z.array(z.string()))),
    }),
  ),
});

/** Reads the project's name and optional groups. The file is valid TOML, or reading the project would have failed earlier. */
export function readOwnProject(root: string): OwnProject {
  const file = path.join(root, PROJECT_FILES.pyproject);
  const text = existsSync(file) ? readFileSync(file, 'utf8').replace(/^\uFEFF/, '') : '';
  const parsed = projectTable.safeParse(parse(text));
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
      if (!texts) throw noSuchGroup(group, place, [...optional.keys()]);
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
  };
}

/** `a`, `b` of `name[a, b]>=1`. */
function extrasOf(requirement: string): string[] {
  const inside = /^[^[;@<>=!~]*\[([^\]]*)\]/.exec(requirement)?.[1] ?? '';
  return inside
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function noSuchGroup(group: string, place: string, known: string[]): ToolkitError {
  return new ToolkitError(
    'REQUIREMENT_INVALID',
    `${place}: ${PROJECT_FILES.pyproject} has no extra "${group}".`,
    {
      hint:
        known.length > 0
          ? `Existing extras: ${known.join(', ')}.`
          : 'Add it under [project.optional-dependencies], or remove the line.',
    },
  );
}
