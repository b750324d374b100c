/**
 * A module → the files from which imports may lead to it. The texts alone decide it: a file is not parsed to see that its
 * names come from elsewhere.
 */
import type { ModuleTable } from '../declarations/ModuleTable.ts';
import { importTargets } from '../discovery/importTargets.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import type { Steps } from '../steps.ts';

/** The stem of a module → the files that import it. */
type Importers = ReadonlyMap<string, readonly string[]>;

/** A request may search for several names. */
const ofView = new WeakMap<ProjectView, Importers>();

/** The module's file and those that import it, directly or through others, in order. */
export function* importersOf(project: ProjectView, module: string): Steps<string[]> {
  const importers = ofView.get(project) ?? (yield* readImporters(project));
  ofView.set(project, importers);
  const leading = new Set([module]);
  // Grows while it is walked.
  for (const file of leading)
    for (const stem of stemsAround(file)) for (const one of importers.get(stem) ?? []) leading.add(one);
  return [...project.files].filter((file) => leading.has(file)).sort();
}

function* readImporters(project: ProjectView): Steps<Importers> {
  const { modules } = project.index.names;
  const importers = new Map<string, string[]>();
  // A link gives modules of its own, which are not among the project's files.
  for (const file of new Set([...project.files, ...modules.files])) {
    yield;
    for (const stem of importedStems(project.textOf(file) ?? '', file, modules)) {
      const known = importers.get(stem);
      if (known) known.push(file);
      else importers.set(stem, [file]);
    }
  }
  return importers;
}

function importedStems(text: string, file: string, modules: ModuleTable): Set<string> {
  return new Set(importTargets(text, file).flatMap((target) => modules.resolve(target, file) ?? []));
}

/** The stem of a file, and those of the packages around it, which have the module as an attribute. */
function stemsAround(file: string): string[] {
  const parts = file.replace(/(?:^|\/)__init__\.py$|\.py$/, '').split('/');
  return ['', ...parts.map((_, at) => parts.slice(0, at + 1).join('/'))];
}
