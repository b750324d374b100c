/** A third-party package imported at the top of a file that declares endpoints. */
import { SDK_MODULE } from '../../contract/names.ts';
import type { FileFacts, Import } from '../facts/FileFacts.ts';
import type { NameResolver } from '../index/NameResolver.ts';
import { isStandardLibrary } from '../index/standardLibrary.ts';
import { finding, type Rule } from './rule.ts';

export const topLevelImport: Rule = (index, { withheld }) => {
  const declaring = new Set<string>();
  for (const { file, served, routes } of index.declarations) {
    declaring.add(file);
    for (const item of [...served, ...routes]) declaring.add(item.file);
  }
  return index.files
    .filter(({ file }) => declaring.has(file))
    .flatMap((facts) =>
      facts.imports
        .filter((item) => runsAtImport(facts, item) && isThirdParty(index.names, facts, item))
        .filter((item) => {
          const members = (item.names ?? []).map((name) =>
            withheld.missedMember(index.names.modules, item.target, facts.file, name),
          );
          // What is the project's own and does not ship is told by `imports-ignored-file`.
          return [withheld.missedBy(index.names.modules, item.target, facts.file), ...members].every(
            (missed) => missed === null,
          );
        })
        .map(({ target, range }) => {
          const name = target.module.split('.', 1)[0]!;
          return finding('top-level-import', {
            file: facts.file,
            range,
            message: `${name} is imported at the top of a file that declares endpoints, so every importer of this file needs it.`,
            fix: `Move the import of ${name} into the functions that use it.`,
          });
        }),
    );
};

/** Imports that may fail, that no worker runs or that only type checkers see are fine. */
function runsAtImport({ scopes }: FileFacts, { scope, guard }: Import): boolean {
  return guard === null && scopes[scope]!.kind !== 'function';
}

function isThirdParty({ modules }: NameResolver, { file }: FileFacts, { target }: Import): boolean {
  if (target.folder !== null) return false;
  const [first] = target.module.split('.', 1);
  if (!first || first === SDK_MODULE || isStandardLibrary(first)) return false;
  return modules.resolve({ folder: null, module: first }, file) === null;
}
