/** A function, class or instance of an endpoint → every place of the project that means it, whatever its name there. */
import { setImmediate } from 'node:timers/promises';
import type { Range } from '../../contract/diagnostic.ts';
import type { ProjectView } from '../live/ProjectView.ts';
import { type NameUse, nameUses } from './nameUses.ts';
import { isSameSlot, originsOfUse, type Slot } from './Slot.ts';
import { ownerOf } from './UseScope.ts';

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
 * Uses in order of file and place, its own name's before those of its aliases. Files are read one by one, and other
 * work is let through between two of them. Throws the signal's reason once it is raised.
 */
export async function findUses(project: ProjectView, origin: Slot, signal: AbortSignal): Promise<FoundUse[]> {
  const found: FoundUse[] = [];
  const names = [origin.name];
  for (const name of names) {
    for (const file of await project.filesWithWord(name, signal)) {
      await setImmediate();
      signal.throwIfAborted();
      for (const { alias, ...use } of usesInFile(project, file, origin, name)) {
        found.push(use);
        if (alias !== null && !names.includes(alias)) names.push(alias);
      }
    }
  }
  return found;
}

/** Uses in one file, under the origin's own name and under the aliases that the file gives it. */
export function usesWithin(project: ProjectView, file: string, origin: Slot, name: string): FoundUse[] {
  const names = [...new Set([name, origin.name])];
  const found: FoundUse[] = [];
  for (const one of names) {
    for (const { alias, ...use } of usesInFile(project, file, origin, one)) {
      found.push(use);
      if (alias !== null && !names.includes(alias)) names.push(alias);
    }
  }
  return found;
}

function usesInFile(
  project: ProjectView,
  file: string,
  origin: Slot,
  name: string,
): (FoundUse & { alias: string | null })[] {
  const resolver = project.index.names;
  const facts = resolver.factsOf(file);
  if (!facts) return [];
  const uses = project.withTree(file, (root, text) => nameUses(root, text, facts, name)) ?? [];
  return uses.flatMap((use) => {
    const origins = originsOfUse(resolver, file, name, use);
    if (!origins.some((one) => isSameSlot(one, origin))) return [];
    const { range, role, scope, path } = use;
    const owner = role === 'attribute' || role === 'imported-as' ? null : ownerOf(scope);
    const own = owner?.isInFacts && isSameSlot({ file, scope: owner.facts, name }, origin);
    return [
      {
        file,
        range,
        name,
        role,
        isDeclaration: Boolean(own) && (role === 'bound' || role === 'defined'),
        isCertain: origins.length === 1,
        alias: role === 'imported-as' ? (path?.[0] ?? null) : null,
      },
    ];
  });
}
