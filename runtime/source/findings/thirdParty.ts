/** Import statements → the modules in them that are neither the project's own, Python's, nor the toolkit's. */
import type { Range } from '../../contract/diagnostic.ts';
import { SDK_MODULE } from '../../contract/names.ts';
import type { FileFacts, Import } from '../binder/FileFacts.ts';
import { isStandardLibrary } from '../binder/standardLibrary.ts';
import type { ModuleTable } from '../declarations/ModuleTable.ts';
import type { WithheldModules } from '../discovery/WithheldModules.ts';
import { namespaceOf } from '../environment/knownModules.ts';

/** A module of another distribution, where it is named. */
export interface ImportedModule {
  /** Dotted. */
  module: string;
  range: Range;
}

/** What is said of a module that no known distribution provides. */
export const UNKNOWN = 'found neither in the project nor among installed or known packages';

/** Of `from google.cloud import storage` it is each of the names, whose distributions differ. */
export function thirdPartyModules(
  item: Import,
  { file }: FileFacts,
  { modules, withheld }: { modules: ModuleTable; withheld: WithheldModules },
): ImportedModule[] {
  const { target, names, range, nameRanges } = item;
  if (target.folder !== null) return [];
  const [first] = target.module.split('.', 1);
  // Of Python's own names none but these are underscored so: `__main__`, `__future__`.
  if (!first || first === SDK_MODULE || first.startsWith('__') || isStandardLibrary(first)) return [];
  if (modules.resolve({ folder: null, module: first }, file) !== null) return [];
  // What is the project's own and does not ship is told by `imports-ignored-file`.
  const members = (names ?? []).map((name) => withheld.missedMember(modules, target, file, name));
  if ([withheld.missedBy(modules, target, file), ...members].some((missed) => missed !== null)) return [];
  if (names === null || namespaceOf(target.module) !== target.module)
    return [{ module: target.module, range }];
  return names.map((name, at) => ({ module: `${target.module}.${name}`, range: nameRanges[at] ?? range }));
}
