/** A function, class or instance of an endpoint → every use of it in the project, under any name. */
import type { Range } from '../../contract/diagnostic.ts';
import { ownerOf } from '../binder/LexicalScope.ts';
import type { NameUse } from '../binder/NameUse.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import { type Steps, takeTurns } from '../steps.ts';
import { rangeOf } from '../syntax/range.ts';
import { type BoundName, type FollowTo, isSameName, originsOf } from './BoundName.ts';
import { importersOf } from './importersOf.ts';
import { moduleScope, nameUses, saysOneOf, scopeInFacts } from './nameUses.ts';
import { usedOrigins } from './usedOrigins.ts';

/** One use of the name that was searched for. */
export interface FoundUse {
  file: string;
  range: Range;
  /** The name in the text: the origin's own name, or an alias. */
  name: string;
  role: NameUse['role'];
  /** Whether the use binds the origin itself. */
  isDeclaration: boolean;
  /** Whether the name cannot mean anything else here. */
  isCertain: boolean;
}

/**
 * Finds uses in order of file and position. With `thing`, uses under aliases come after the uses under the
 * origin's own name.
 *
 * Reads files one by one, large ones in parts, and lets other work run in between.
 *
 * @throws The signal's reason once it is aborted.
 */
export function findUses(
  project: ProjectView,
  origin: BoundName,
  to: FollowTo,
  signal: AbortSignal,
): Promise<FoundUse[]> {
  return takeTurns(usesInProject(project, origin, to), signal);
}

function* usesInProject(project: ProjectView, origin: BoundName, to: FollowTo): Steps<FoundUse[]> {
  const found: FoundUse[] = [];
  const names = [origin.name];
  const files = yield* importersOf(project, origin.file);
  for (const name of names) {
    for (const file of files) {
      yield;
      for (const { alias, ...use } of yield* usesInFile(project, { file, name }, origin, to)) {
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
 * @param aliases - `direct`: only aliases of the origin's own name. `all`: also aliases of names that other
 *   files gave it, which reads every module of the project that the file imports from.
 * @param written - A name that the file is known to use for the origin.
 */
export function* usesWithin(
  project: ProjectView,
  file: string,
  origin: BoundName,
  aliases: 'direct' | 'all',
  written = origin.name,
): Steps<FoundUse[]> {
  const found: FoundUse[] = [];
  for (const name of new Set([written, origin.name, ...namesGiven(project, file, origin, aliases)])) {
    const uses = yield* usesInFile(project, { file, name }, origin, 'thing');
    for (const { alias: _, ...use } of uses) found.push(use);
  }
  return found;
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

function* usesInFile(
  project: ProjectView,
  { file, name }: { file: string; name: string },
  origin: BoundName,
  to: FollowTo,
): Steps<(FoundUse & { alias: string | null })[]> {
  const found: (FoundUse & { alias: string | null })[] = [];
  const says = saysOneOf(name);
  if (!says({ text: project.textOf(file) ?? '' })) return found;
  yield* project.readFacts(file);
  const facts = project.index.names.factsOf(file);
  if (!facts) return found;
  yield* project.withSegments(file, says, (root, text) => {
    for (const use of nameUses(root, text, name, moduleScope(facts, name))) {
      const { origins, isCertain } = usedOrigins(project, file, use, to);
      if (!origins.some((one) => isSameName(one, origin))) continue;
      const { node, role, path } = use;
      const owner = role === 'attribute' || role === 'imported-as' ? null : ownerOf(use);
      const place = owner && scopeInFacts(facts, owner);
      const isOwn = place?.isOwn && isSameName({ file, scope: place.index, name }, origin);
      found.push({
        file,
        range: rangeOf(node),
        name,
        role,
        isDeclaration: Boolean(isOwn) && /^(?:bound|parameter|defined|handler|deleted)$/.test(role),
        isCertain,
        alias: role === 'imported-as' ? (path?.[0] ?? null) : null,
      });
    }
  });
  return found;
}
