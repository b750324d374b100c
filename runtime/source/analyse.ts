/** The facts of a project's files → its declarations and all findings: one way for the commands and the editor. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { PROJECT_FILES } from '../contract/names.ts';
import type { Alias } from './discovery/aliasImport.ts';
import type { ProjectFiles } from './discovery/ProjectFiles.ts';
import type { IgnoreComment } from './facts/ignoreComments.ts';
import { ProjectIndex } from './index/ProjectIndex.ts';
import type { Tables } from './index/tableDeclarations.ts';
import { ALL_RULES } from './rules/allRules.ts';
import { silence } from './rules/silence.ts';
import { syntaxError } from './rules/syntax-error.ts';

/** What pyproject.toml says. */
export interface ProjectTables {
  tables: Tables;
  ignores: readonly IgnoreComment[];
}

export interface Analysis {
  index: ProjectIndex;
  /** In order of file, then place. */
  diagnostics: Diagnostic[];
}

/** Reads what the project declares, and checks it. Asks for facts, which may parse files. */
export function analyse(files: ProjectFiles, toml: ProjectTables, quota: number): Analysis {
  const index = indexOf(files, toml.tables);
  const importers =
    index.declarations.length > 0 ? files.importers().flatMap((file) => files.factsOf(file) ?? []) : [];
  const context = { quota, withheld: files.withheld, importers };
  const all = [...syntaxErrors(files, index), ...ALL_RULES.flatMap((rule) => rule(index, context))];
  const ignoresOf = (file: string) =>
    file === PROJECT_FILES.pyproject ? toml.ignores : (files.factsOf(file)?.ignores ?? []);
  const diagnostics = [...files.diagnostics(), ...silence(all, ignoresOf)];
  return { index, diagnostics: diagnostics.sort(byPlace) };
}

/** Declarations may bring in more files, whose declarations may bring in more. */
function indexOf(files: ProjectFiles, tables: Tables): ProjectIndex {
  const classNames = new Set(['Endpoint']);
  const aliases = new Map<string, Alias>();
  let hasInstances = false;
  let candidates = files.candidates(false, []);
  for (;;) {
    const index = new ProjectIndex(
      candidates.flatMap((file) => files.factsOf(file) ?? []),
      files.modules,
      (file) => files.factsOf(file),
      new Set(classNames),
      tables,
    );
    const fresh = index.classAliases().filter(({ file, name }) => !aliases.has(`${file}:${name}`));
    const namesBefore = classNames.size;
    for (const alias of fresh) {
      aliases.set(`${alias.file}:${alias.name}`, alias);
      classNames.add(alias.name);
    }
    hasInstances ||= index.hasInstances;
    const more = files.candidates(hasInstances, [...aliases.values()]);
    if (more.length === candidates.length && classNames.size === namesBefore) return index;
    candidates = more;
  }
}

/** Of the files that say the words of a declaration, and of those that add a route to a known instance. */
function syntaxErrors(files: ProjectFiles, index: ProjectIndex): Diagnostic[] {
  const routed = index.declarations.flatMap(({ routes }) => routes.map(({ file }) => file));
  const concerned = new Set([...files.mentioning(), ...routed]);
  return [...concerned].flatMap((file) => syntaxError(file, files.faultOf(file)));
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  const { start } = a.range;
  const other = b.range.start;
  return start.line - other.line || start.character - other.character || (a.code < b.code ? -1 : 1);
}
