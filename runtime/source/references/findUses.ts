/** A function, class or instance of an endpoint → every use of it in the project, under any name. */
import { setImmediate } from 'node:timers/promises';
import type { Range } from '../../contract/diagnostic.ts';
import { ownerOf } from '../binder/LexicalScope.ts';
import type { NameUse } from '../binder/NameUse.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import { rangeOf } from '../syntax/range.ts';
import { type BoundName, type FollowTo, isSameName, originsOf, originsOfUse } from './BoundName.ts';
import { nameUses, scopeInFacts } from './nameUses.ts';

/** One use of what was searched for. */
export interface FoundUse {
  file: string;
  range: Range;
  /** The name in the text: the origin's own, or an alias. */
  name: string;
  role: NameUse['role'];
  /** Whether the use binds the origin itself. */
  isDeclaration: boolean;
  /** Whether the name can mean nothing else here. */
  isCertain: boolean;
}

/**
 * Finds uses in order of file and position. When names are followed to the thing, uses under aliases come after those
 * under the origin's own name.
 *
 * Reads files one by one, and lets other work run in between.
 *
 * @throws The signal's reason once it is aborted.
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
 * Uses in one file, under the origin's own name and its aliases in the file.
 *
 * @param aliases - `direct`: aliases of the origin's own name. `all`: also aliases of names that other files gave it,
 * which reads every module of the project that the file imports from.
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

/** Names that a file's imports bind to the origin. */
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
      const { node, role, path } = use;
      const owner = role === 'attribute' || role === 'imported-as' ? null : ownerOf(use);
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
