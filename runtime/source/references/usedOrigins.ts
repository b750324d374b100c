/** A use of a name → its origins, including those of an import statement that the parser could not read. */
import type { FileFacts } from '../binder/FileFacts.ts';
import { ownerOf } from '../binder/LexicalScope.ts';
import type { NameUse } from '../binder/NameUse.ts';
import { importTarget } from '../binder/readImport.ts';
import { type WrittenImport, writtenImports } from '../discovery/writtenImports.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import {
  type BoundName,
  distinctNames,
  type FollowTo,
  moduleFile,
  originsOf,
  originsOfUse,
} from './BoundName.ts';

interface UsedOrigins {
  origins: BoundName[];
  /** Whether the name cannot mean anything else. */
  isCertain: boolean;
}

/** Cached, because a file may have thousands of uses. */
const ofFacts = new WeakMap<FileFacts, WrittenImport[]>();

/** The origins of one use of a name in a file. */
export function usedOrigins(project: ProjectView, file: string, use: NameUse, to: FollowTo): UsedOrigins {
  const origins = originsOfUse(project.index.names, file, use, to);
  if (origins.length > 0) return { origins, isCertain: origins.length === 1 };
  return { origins: writtenOrigins(project, file, use, to), isCertain: false };
}

/** The origins of a name that nothing binds, taken from the text of a file with a syntax error. */
function writtenOrigins(project: ProjectView, file: string, use: NameUse, to: FollowTo): BoundName[] {
  const { names } = project.index;
  const facts = names.factsOf(file);
  const isNamed = use.role !== 'attribute' && use.role !== 'imported-as';
  if (!facts?.fault || !isNamed || ownerOf(use)) return [];
  const imports = ofFacts.get(facts) ?? [...writtenImports(project.textOf(file) ?? '')];
  ofFacts.set(facts, imports);
  const found: BoundName[] = [];
  for (const written of imports) {
    if (!written.names?.includes(use.name)) continue;
    const module = moduleFile(names, importTarget(written.module, file), file);
    if (module !== null) found.push(...originsOf(names, { file: module, scope: 0, name: use.name }, to));
  }
  return distinctNames(found);
}
