/** A module that ships and imports a file that does not: a worker would not find it. */
import type { Diagnostic, Range } from '../../contract/diagnostic.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import type { FileFacts, Import } from '../facts/FileFacts.ts';
import type { ModuleTable } from '../index/ModuleTable.ts';
import { finding, type Rule } from './rule.ts';

export const importsIgnoredFile: Rule = (index, { withheld, importers }) => {
  if (index.declarations.length === 0) return [];
  const { modules } = index.names;
  return importers.flatMap((facts) =>
    // An import that may fail, or that no worker runs, needs no file.
    facts.imports
      .filter(({ guard }) => guard === null)
      .flatMap((item) => {
        const missed = withheld.missedBy(modules, item.target, facts.file);
        if (missed !== null) return [report(facts.file, item.range, missed)];
        return membersOf(modules, item, facts).flatMap(({ name, stem, range }) => {
          const file = withheld.missedMember(modules, stem, name);
          return file === null ? [] : [report(facts.file, range, file)];
        });
      }),
  );

  /** Names of `from package import name` that the package's own text does not bind. */
  function membersOf(table: ModuleTable, { target, names, nameRanges }: Import, facts: FileFacts) {
    const stem = names === null ? null : table.resolve(target, facts.file);
    if (stem === null || names === null) return [];
    const initial = table.fileOf(stem);
    const bound = initial === null ? undefined : index.names.factsOf(initial)?.scopes[0]?.bindings;
    return names.flatMap((name, at) => {
      if (name === '*' || (bound && Object.hasOwn(bound, name))) return [];
      return [{ name, stem, range: nameRanges[at]! }];
    });
  }
};

function report(file: string, range: Range, missed: string): Diagnostic {
  return finding('imports-ignored-file', {
    file,
    range,
    message: `${file} imports ${missed}, which does not ship, so a worker would not find it.`,
    fix: `Take ${missed} out of .gitignore or ${PROJECT_FILES.ignore}, or add the line "!/${missed}" to ${PROJECT_FILES.ignore}.`,
  });
}
