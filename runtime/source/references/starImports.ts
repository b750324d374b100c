/** A name in a module → the star imports that bind it in other modules. */
import type { Position } from '../../contract/diagnostic.ts';
import { bindingsOf } from '../binder/bindings.ts';
import { isExported } from '../binder/exportedTexts.ts';
import type { NameResolver } from '../declarations/NameResolver.ts';
import { writtenImports } from '../discovery/writtenImports.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import type { Steps } from '../steps.ts';
import { type BoundName, isSameName, moduleFile, originsOf } from './BoundName.ts';
import { importersOf } from './importersOf.ts';

/** A star import that binds a name in a file. */
export interface StarImport {
  file: string;
  start: Position;
  /** The file of the module that is imported from. */
  module: string;
}

/** The star import that binds a name in a file; null if the file binds the name itself, or no star import does. */
export function starImportOf(names: NameResolver, file: string, name: string): StarImport | null {
  const facts = names.factsOf(file);
  if (!facts || bindingsOf(facts.scopes[0]!.bindings, name).length > 0) return null;
  for (const { target, names: taken, range } of facts.imports) {
    const module = taken?.[0] === '*' ? moduleFile(names, target, file) : null;
    if (module === null || !isExported(names.factsOf(module), name)) continue;
    if (originsOf(names, { file: module, scope: 0, name }, 'name').length > 0)
      return { file, start: range.start, module };
  }
  return null;
}

/** The star imports that bind a module's name in other files, whether those files use it or not. */
export function* starImportsOf(project: ProjectView, named: BoundName): Steps<StarImport[]> {
  if (named.scope !== 0) return [];
  const found: StarImport[] = [];
  for (const file of yield* importersOf(project, named.file)) {
    yield;
    const written = [...writtenImports(project.textOf(file) ?? '')];
    if (!written.some(({ names }) => names?.[0] === '*')) continue;
    yield* project.readFacts(file);
    const { names } = project.index;
    const origins = originsOf(names, { file, scope: 0, name: named.name }, 'name');
    const star = origins.some((one) => isSameName(one, named)) && starImportOf(names, file, named.name);
    if (star) found.push(star);
  }
  return found;
}
