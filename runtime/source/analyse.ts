/** The facts of a project's files → its declarations and all findings: one way for the commands and the editor. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { PROJECT_FILES } from '../contract/names.ts';
import type { IgnoreComment } from './binder/ignoreComments.ts';
import { ProjectIndex } from './declarations/ProjectIndex.ts';
import type { Tables } from './declarations/tableDeclarations.ts';
import type { Alias } from './discovery/aliasImport.ts';
import type { ProjectFiles } from './discovery/ProjectFiles.ts';
import { FILE_RULES, PROJECT_RULES } from './rules/allRules.ts';
import type { RuleContext, RuleSettings } from './rules/rule.ts';
import { silence } from './rules/silence.ts';
import { syntaxError } from './rules/syntax-error.ts';

/** What pyproject.toml says. */
export interface ProjectTables {
  tables: Tables;
  ignores: readonly IgnoreComment[];
}

export interface Analysis {
  index: ProjectIndex;
  /** Findings of one file at a time and of the project as a whole, each in order of file, then place. */
  ofFiles: Diagnostic[];
  ofProject: Diagnostic[];
}

/** Reads what the project declares, and checks it. Asks for facts, which may parse files. */
export function analyse(files: ProjectFiles, toml: ProjectTables, settings: RuleSettings): Analysis {
  const index = indexOf(files, toml.tables);
  const context = contextOf(files, index, settings);
  const shown = (found: readonly Diagnostic[]) => silence(found, ignoresOf(files, toml)).sort(byPlace);
  return {
    index,
    ofFiles: shown([
      ...files.diagnostics(),
      ...syntaxErrors(files, index),
      ...FILE_RULES.flatMap((rule) => rule(index, context)),
    ]),
    ofProject: shown(PROJECT_RULES.flatMap((rule) => rule(index, context))),
  };
}

/**
 * The findings of one file that follow from its own declarations.
 *
 * @param known - The project as it was last analysed; the file may have changed since.
 */
export function analyseFile(
  files: ProjectFiles,
  file: string,
  { toml, settings, known }: { toml: ProjectTables; settings: RuleSettings; known: Analysis },
): Diagnostic[] {
  const facts = files.factsOf(file);
  const index = new ProjectIndex(
    facts ? [facts] : [],
    files.modules,
    (other) => files.factsOf(other),
    known.index.classNames,
  );
  // What others import is no finding of this file.
  const context = { ...settings, withheld: files.withheld, importers: [] };
  const found = [
    ...files.diagnostics(),
    ...syntaxErrors(files, index, [file]),
    ...FILE_RULES.flatMap((rule) => rule(index, context)),
  ];
  const here = found.filter((one) => one.file === file);
  return silence(here, ignoresOf(files, toml)).sort(byPlace);
}

/** In order of file, then place. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  const { start } = a.range;
  const other = b.range.start;
  return start.line - other.line || start.character - other.character || (a.code < b.code ? -1 : 1);
}

function contextOf(files: ProjectFiles, index: ProjectIndex, settings: RuleSettings): RuleContext {
  const importers =
    index.declarations.length > 0 ? files.importers().flatMap((file) => files.factsOf(file) ?? []) : [];
  return { ...settings, withheld: files.withheld, importers };
}

function ignoresOf(files: ProjectFiles, toml: ProjectTables) {
  return (file: string) =>
    file === PROJECT_FILES.pyproject ? toml.ignores : (files.factsOf(file)?.ignores ?? []);
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
function syntaxErrors(files: ProjectFiles, index: ProjectIndex, among?: readonly string[]): Diagnostic[] {
  const routed = index.declarations.flatMap(({ routes }) => routes.map(({ file }) => file));
  const concerned = new Set([...files.mentioning(), ...routed]);
  return (among?.filter((file) => concerned.has(file)) ?? [...concerned]).flatMap((file) =>
    syntaxError(file, files.faultOf(file)),
  );
}
