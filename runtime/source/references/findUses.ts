/** A function, class or instance of an endpoint → every place of the project that means it, whatever its name there. */
import { setImmediate } from 'node:timers/promises';
import type { Range } from '../../contract/diagnostic.ts';
import { ownerOf } from '../binder/LexicalScope.ts';
import type { NameUse } from '../binder/NameUse.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import { rangeOf } from '../syntax/range.ts';
import { type BoundName, type FollowTo, isSameName, originsOf, originsOfUse } from './BoundName.ts';
import { nameUses, scopeInFacts } from './nameUses.ts';

/** One place that means what was asked for. */
export interface FoundUse {
  file: string;
  range: Range;
  /** What is written there: the origin's own name, or an alias. */
  name: string;
  role: NameUse['role'];
  /** Where the origin itself is bound. */
  isDeclaration: boolean;
  /** Whether the name can stand for nothing else there. */
  isCertain: boolean;
}

/**
 * Uses in order of file and place; where names are followed to the thing, those under aliases come after those of the
 * origin's own name.
 * Files are read one by one, and other work is let through between two of them. Throws the signal's reason once it is
 * raised.
 */
export async function findUses(
  project: ProjectView,
  origin: BoundName,
  to: FollowTo,
  signal: AbortSignal,
): Promise<FoundUse[]> {
  const found: FoundUse[] = [];
  const names = [origin.name];
  for (const name of names) {
    for (const file of await project.filesWithWord(name, signal)) {
      await setImmediate();
      signal.throwIfAborted();
      for (const { alias, ...use } of usesInFile(project, { file, name }, origin, to)) {
        found.push(use);
        if (to === 'thing' && alias !== null && !names.includes(alias)) names.push(alias);
      }
    }
  }
  return found;
}

/**
 * Uses in one file, under the origin's own name and under those that the file gives it.
 *
 * @param aliases - `direct`: those of the origin's own name. `all`: also those of names that other files gave it, for
 * which every module of the project is read that the file imports from.
 * @param written - A name that the file is known to use for it.
 */
export function usesWithin(
  project: ProjectView,
  file: string,
  origin: BoundName,
  aliases: 'direct' | 'all',
  written = origin.name,
): FoundUse[] {
  const names = new Set([written, origin.name, ...namesGiven(project, file, origin, aliases)]);
  const text = project.textOf(file) ?? '';
  return [...names]
    .filter((name) => text.includes(name))
    .flatMap((name) => usesInFile(project, { file, name }, origin, 'thing'))
    .map(({ alias: _, ...use }) => use);
}

/** Names that a file's imports bind to what has an origin. */
function namesGiven(
  { index: { names } }: ProjectView,
  file: string,
  origin: BoundName,
  aliases: 'direct' | 'all',
): string[] {
  const scopes = names.factsOf(file)?.scopes ?? [];
  return scopes.flatMap(({ bindings }, scope) =>
    Object.keys(bindings).filter(
      (name) =>
        bindings[name]!.some(
          (binding) => binding.kind === 'member' && (aliases === 'all' || binding.name === origin.name),
        ) && originsOf(names, { file, scope, name }, 'thing').some((one) => isSameName(one, origin)),
    ),
  );
}

function usesInFile(
  project: ProjectView,
  { file, name }: { file: string; name: string },
  origin: BoundName,
  to: FollowTo,
): (FoundUse & { alias: string | null })[] {
  const resolver = project.index.names;
  const facts = resolver.factsOf(file);
  if (!facts) return [];
  const found = project.withTree(file, (root, text) =>
    nameUses(root, text, name).flatMap((use) => {
      const origins = originsOfUse(resolver, file, use, to);
      if (!origins.some((one) => isSameName(one, origin))) return [];
      const { node, role, scope, path } = use;
      const owner = role === 'attribute' || role === 'imported-as' ? null : ownerOf(scope, name);
      const place = owner && scopeInFacts(facts, owner);
      const isOwn = place?.isOwn && isSameName({ file, scope: place.index, name }, origin);
      return [
        {
          file,
          range: rangeOf(node),
          name,
          role,
          isDeclaration: Boolean(isOwn) && /^(?:bound|parameter|defined|handler|deleted)$/.test(role),
          isCertain: origins.length === 1,
          alias: role === 'imported-as' ? (path?.[0] ?? null) : null,
        },
      ];
    }),
  );
  return found ?? [];
}
