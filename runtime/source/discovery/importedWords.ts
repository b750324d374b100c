/** Bytes of a file → the words by which its import statements may lead to modules of the project. */
import { posix } from 'node:path';
import { importTarget } from '../binder/readImport.ts';
import { isStandardLibrary } from '../binder/standardLibrary.ts';
import { scanImports } from './scanImports.ts';

/**
 * The words: the parts of each module that is bound; the last part of each of which everything is taken; `from` and the
 * last part of each that names are taken from; and these names, which may be modules themselves. Some are there twice.
 *
 * @param file - Path of the file, at which relative imports start.
 * @param hidden - Names of standard modules that modules of the project hide; the others are not the project's.
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

/** The last part of the module behind `from`; null where it cannot be in the project. */
function moduleIn(from: string, file: string, hidden: ReadonlySet<string>): string | null {
  const { module, folder } = importTarget(from, file);
  if (folder === undefined || (folder === null && isOutside(module, hidden))) return null;
  return module.split('.').at(-1)! || posix.basename(folder ?? '');
}

/** The words by which imports lead to a module: its own name in any way, a package around it only if it is bound. */
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
