/** A module that ships and imports a file that does not: a worker would not find it. */
import type { Diagnostic, Range } from '../../contract/diagnostic.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import type { FileFacts, Import } from '../binder/FileFacts.ts';
import type { NameResolver } from '../declarations/NameResolver.ts';
import { finding, type Rule } from './Finding.ts';
import { runsAtImport } from './runsAtImport.ts';

export const importsIgnoredFile: Rule = (index, { withheld }) => {
  if (!index.mayMiss) return [];
  const { file, facts, names } = index;
  if (!facts) return [];
  const report = (range: Range, missed: string): Diagnostic => {
    const project = withheld.projectOf(missed);
    return finding('imports-ignored-file', {
      file,
      range,
      message: `${file} imports ${missed}, which does not ship, so a worker would not find it.`,
      fix:
        project === null
          ? `Add the line "!/${missed}" to ${PROJECT_FILES.ignore}, or import it in a try block that expects an ImportError.`
          : `Move it out of ${project}, whose ${PROJECT_FILES.pyproject} makes it a project of its own.`,
    });
  };
  // Vendored packages import their own tests in functions that nobody calls.
  const mayRun = ({ scope }: Import): boolean => runsAtImport(facts, scope) || index.isReached;
  // An import that may fail, or that no worker runs, needs no file.
  const needed = facts.imports.filter(({ guard }) => guard === null);
  return needed.flatMap((item) => {
    const missed = withheld.missedBy(names.modules, item.target, file);
    if (missed !== null) return mayRun(item) ? [report(item.range, missed)] : [];
    return membersOf(names, item, facts).flatMap(({ name, range }) => {
      const missing = withheld.missedMember(names.modules, item.target, file, name);
      return missing === null || !mayRun(item) ? [] : [report(range, missing)];
    });
  });
};

/** Names of `from package import name` that the package's own text does not bind. */
function membersOf({ modules, factsOf }: NameResolver, item: Import, { file }: FileFacts) {
  const stem = modules.resolve(item.target, file);
  const initial = stem === null ? null : modules.fileOf(stem);
  const bound = initial === null ? undefined : factsOf(initial)?.scopes[0]?.bindings;
  return (item.names ?? []).flatMap((name, at) => {
    const isBound = bound !== undefined && Object.hasOwn(bound, name);
    return name === '*' || isBound ? [] : [{ name, range: item.nameRanges[at]! }];
  });
}
