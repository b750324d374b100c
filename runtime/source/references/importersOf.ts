/**
 * A module → the files whose imports may lead to it. Only the texts are searched: no file is parsed to find
 * that its names come from elsewhere.
 */
import { importTarget } from '../binder/readImport.ts';
import { writtenImports } from '../discovery/writtenImports.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import type { Steps } from '../steps.ts';

/** Files, by the stems of the modules that they import. */
interface Importers {
  /** Files that take names from the module. */
  ofNames: Map<string, Set<string>>;
  /** Files that may bind the module itself, and can reach the modules inside it as attributes. */
  ofModule: Map<string, Set<string>>;
}

/** Cached, because one request may search for several names. */
const ofView = new WeakMap<ProjectView, Importers>();

/** The module's file and the files that import it, directly or through other files, sorted. */
export function* importersOf(project: ProjectView, file: string): Steps<string[]> {
  const importers = ofView.get(project) ?? (yield* readImporters(project));
  ofView.set(project, importers);
  const leading = new Set([file]);
  // Grows while it is walked.
  for (const one of leading) {
    const stems = stemsAround(one);
    const found = [
      importers.ofNames.get(stems.at(-1)!),
      ...stems.map((stem) => importers.ofModule.get(stem)),
    ];
    for (const more of found) for (const importer of more ?? []) leading.add(importer);
  }
  return [...project.files].filter((one) => leading.has(one)).sort();
}

function* readImporters(project: ProjectView): Steps<Importers> {
  const { modules } = project.index.names;
  const importers: Importers = { ofNames: new Map(), ofModule: new Map() };
  const add = (to: Map<string, Set<string>>, stem: string | null, file: string) => {
    if (stem !== null) to.set(stem, (to.get(stem) ?? new Set()).add(file));
  };
  // A symbolic link adds its own modules, which are not among the project's files.
  for (const file of new Set([...project.files, ...modules.files])) {
    yield;
    for (const { module, names } of writtenImports(project.textOf(file) ?? '')) {
      const stem = modules.resolve(importTarget(module, file), file);
      if (stem === null) continue;
      if (names === null || names[0] === '*') add(importers.ofModule, stem, file);
      else {
        add(importers.ofNames, stem, file);
        for (const name of names) add(importers.ofModule, modules.child(stem, name), file);
      }
    }
  }
  return importers;
}

/** The stems of the packages around a file, and last its own stem. */
function stemsAround(file: string): string[] {
  const parts = file.replace(/(?:^|\/)__init__\.py$|\.py$/, '').split('/');
  return ['', ...parts.map((_, at) => parts.slice(0, at + 1).join('/'))];
}
