/**
 * Finds the files that workers may run: the files that declare endpoints, and all files that their imports
 * lead to.
 */
import type { FileFacts, Import } from '../binder/FileFacts.ts';
import { isRun } from '../binder/reach.ts';
import type { Steps } from '../steps.ts';
import type { ProjectIndex } from './ProjectIndex.ts';

/** Returns paths relative to the root, after one step for each file. Imports inside functions count too. */
export function* reachableFiles(
  { declarations, names: { modules } }: ProjectIndex,
  files: { facts(file: string): Steps<FileFacts | null> },
): Steps<ReadonlySet<string>> {
  const waiting = declarations.flatMap(({ file, form, served, routes }) => [
    ...(form === 'table' ? [] : [file]),
    ...[...served, ...routes].map((item) => item.file),
  ]);
  const reached = new Set<string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const facts = yield* files.facts(file);
    for (const item of facts?.imports ?? []) waiting.push(...filesOf(item, facts!));
    yield;
  }
  return reached;

  /** The module, the packages around it, and the modules that are imported from it by name. */
  function filesOf({ target, names: members, guard }: Import, { file }: FileFacts): string[] {
    const stem = isRun(guard) ? modules.resolve(target, file) : null;
    if (stem === null) return [];
    const around = stem.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'));
    const named = (members ?? []).flatMap((name) => modules.child(stem, name) ?? []);
    return [...around, ...named].flatMap((one) => modules.fileOf(one) ?? []);
  }
}
