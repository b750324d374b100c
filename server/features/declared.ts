/** Queries of an index that several features use. */
import type { Declaration } from '../../runtime/source/declarations/Declaration.ts';
import { moduleOfFile } from '../../runtime/source/declarations/ModuleTable.ts';
import type { ProjectIndex } from '../../runtime/source/declarations/ProjectIndex.ts';
import { perIndex } from '../../runtime/source/declarations/perIndex.ts';
import { quotaShares } from '../../runtime/source/declarations/quotaShares.ts';
import type { PythonContext } from './feature.ts';

/** A variable of a module that is an instance. */
interface Instance {
  name: string;
  file: string;
  declaration: Declaration;
}

/** The maximum number of workers of all endpoints together. */
export const workersOfAll = perIndex(({ declarations }) => quotaShares(declarations).sum);

/** Instances at the top level of their modules. */
export const instances = perIndex((index) =>
  index.files.flatMap(({ file, scopes }) => {
    const declared = declarationsOf(index, file);
    return Object.entries(scopes[0]!.bindings).flatMap(([name, bindings]) =>
      bindings.flatMap((binding): Instance[] => {
        if (binding.kind !== 'value' || binding.expression.kind !== 'call') return [];
        const { call } = binding.expression;
        const declaration = declared.find((one) => one.call === call);
        return declaration ? [{ name, file, declaration }] : [];
      }),
    );
  }),
);

/** Names of instances, and files that have one. */
const withInstances = perIndex(
  (index) => new Set(instances(index).flatMap(({ name, file }) => [name, file])),
);

/** Whether an instance has this name, or is in this file. */
export function hasInstance(index: ProjectIndex, nameOrFile: string): boolean {
  return withInstances(index).has(nameOrFile);
}

/** Declarations in a file, in order of position. */
export function declarationsOf(index: ProjectIndex, file: string): readonly Declaration[] {
  return index.touching(file).filter((declaration) => declaration.file === file);
}

/**
 * Whether a file is related to toolkit_sdk: it mentions it, it contains part of an endpoint, or it imports an instance
 * of the project.
 */
export function concerns({ project: { index }, document: { facts, file } }: PythonContext): boolean {
  if (facts.mentionsSdk || index.touching(file).length > 0) return true;
  return facts.imports.some(({ target, names: imported }) => {
    if (imported?.some((name) => hasInstance(index, name))) return true;
    const stem = index.names.modules.resolve(target, file);
    const module = stem === null ? null : index.names.modules.fileOf(stem);
    return module !== null && hasInstance(index, module);
  });
}

/** The module name to import a file by, without the folder `src`; null if it is not a valid name in Python. */
export function importName(file: string): string | null {
  const module = moduleOfFile(file).replace(/^src\./, '');
  return /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(module) ? module : null;
}
