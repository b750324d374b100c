/** Bytes of a file → the words through which its import statements may lead to modules of the project. */
import { posix } from 'node:path';
import { importTarget } from '../binder/readImport.ts';
import { isStandardLibrary } from '../binder/standardLibrary.ts';
import { scanImports } from './scanImports.ts';

/**
 * Returns, for `import a.b`, all parts of the module; for `from a.b import *`, the last part of the module;
 * for `from a.b import c`, the word `from b` and the name `c`, which may be a module itself. Some words are
 * returned twice.
 *
 * @param file - Path of the file, from which relative imports are resolved.
 * @param hidden - Names of standard library modules that modules of the project hide; imports of all others
 *   lead outside the project.
 */
export function importedWords(content: Buffer, file: string, hidden: ReadonlySet<string>): string[] {
  const words: string[] = [];
  for (const { from, items } of scanImports(content)) {
    if (from === null) {
      for (const item of items) if (!isOutside(item, hidden)) words.push(...item.split('.'));
      continue;
    }
    const module = moduleIn(from, file, hidden);
    if (module === null) continue;
    for (const item of items) words.push(...(item === '*' ? [module] : [takenFrom(module), item]));
  }
  return words.map((word) => word.normalize('NFKC'));
}

/** The last part of the module after `from`; null when it cannot be in the project. */
function moduleIn(from: string, file: string, hidden: ReadonlySet<string>): string | null {
  const { module, folder } = importTarget(from, file);
  if (folder === undefined || (folder === null && isOutside(module, hidden))) return null;
  return module.split('.').at(-1)! || posix.basename(folder ?? '');
}

/**
 * The words through which imports lead to a module: its own name in any import, and the name of a package
 * around it only where the package is bound.
 */
export function wordsThatLeadTo(file: string): string[] {
  const parts = file.normalize('NFKC').replace(/\.py$/, '').split('/');
  if (parts.at(-1) === '__init__') parts.pop();
  return parts.length === 0 ? [] : [...parts, takenFrom(parts.at(-1)!)];
}

function takenFrom(module: string): string {
  return `from ${module}`;
}

function isOutside(module: string, hidden: ReadonlySet<string>): boolean {
  return isStandardLibrary(module) && !hidden.has(module.split('.', 1)[0]!);
}
