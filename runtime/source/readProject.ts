/** The room's door: a root folder → declarations and diagnostics. Nothing of the project is ever run. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { ToolkitError } from '../contract/errors.ts';
import { PROJECT_FILES } from '../contract/names.ts';
import { ProjectFiles } from './discovery/ProjectFiles.ts';
import { ImportReader } from './importsOf.ts';
import { ProjectIndex } from './index/ProjectIndex.ts';
import type { Tables } from './index/tableDeclarations.ts';
import { readProjectConfig } from './projectConfig.ts';
import type { ProjectReading } from './reading.ts';
import { readTables } from './readTables.ts';
import { ALL_RULES } from './rules/allRules.ts';
import { silence } from './rules/silence.ts';
import { syntaxError } from './rules/syntax-error.ts';

/** What to read. */
interface ReadProjectOptions {
  /** The project's root. */
  root: string;
  /** Name of the app; wins over pyproject.toml. */
  app?: string;
  /** Paths relative to the root that are read even where they are ignored; they ship no more for that. */
  named?: readonly string[];
  /** Folder that keeps facts of unchanged files between commands. */
  cacheDir?: string;
  signal?: AbortSignal;
}

/**
 * Reads a project.
 *
 * @throws ToolkitError PROJECT_CONFIG for a pyproject.toml that cannot be understood, PROJECT_NOT_FOUND when the
 * root is no folder, INTERRUPTED when the signal is raised. Faults of Python files are diagnostics.
 */
export async function readProject({
  root,
  app,
  named,
  cacheDir,
  signal,
}: ReadProjectOptions): Promise<ProjectReading> {
  const absolute = path.resolve(root);
  if (!statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ToolkitError('PROJECT_NOT_FOUND', `${absolute} is no folder.`, {
      hint: 'Name a folder with --project.',
    });
  }
  const config = readProjectConfig(absolute);
  const checkpoint = () => {
    if (signal?.aborted) throw new ToolkitError('INTERRUPTED', 'Reading the project was interrupted.');
  };
  const files = ProjectFiles.read(absolute, { cacheDir, named, checkpoint });
  const toml = await readTables(absolute);
  const { index, found } = await files.withEngine(() => {
    const made = indexOf(files, toml.tables);
    const importers = made.declarations.length > 0 ? files.importers() : [];
    const context = { quota: config.quota, withheld: files.withheld, importers };
    const all = [...syntaxErrors(files, made), ...ALL_RULES.flatMap((rule) => rule(made, context))];
    const ignoresOf = (file: string) =>
      file === PROJECT_FILES.pyproject ? toml.ignores : (files.factsOf(file)?.ignores ?? []);
    return { index: made, found: silence(all, ignoresOf) };
  });
  const diagnostics = [...files.diagnostics(), ...found];
  const imports = new ImportReader(files);
  return {
    root: absolute,
    config: app === undefined ? config : { ...config, app },
    endpoints: index.endpoints(),
    diagnostics: diagnostics.sort(byPlace),
    files: files.count,
    shippedFiles: () => Promise.resolve(files.shipped()),
    importsOf: (file) => imports.of(file),
  };
}

/** Of the files that say the words of a declaration, and of those that add a route to a known instance. */
function syntaxErrors(files: ProjectFiles, index: ProjectIndex): Diagnostic[] {
  const routed = index.declarations.flatMap(({ routes }) => routes.map(({ file }) => file));
  const concerned = new Set([...files.mentioning(), ...routed]);
  return [...concerned].flatMap((file) => syntaxError(file, files.faultOf(file)));
}

/** Declarations may bring in more files, whose declarations may bring in more. */
function indexOf(files: ProjectFiles, tables: Tables): ProjectIndex {
  const classNames = new Set(['Endpoint']);
  const seen = new Set<string>();
  for (;;) {
    const index = new ProjectIndex(
      files.candidates(),
      files.modules,
      (file) => files.factsOf(file),
      classNames,
      tables,
    );
    const fresh = index.classAliases().filter(({ file, name }) => !seen.has(`${file}:${name}`));
    if (!files.promote(index.hasInstances, fresh) && fresh.every(({ name }) => classNames.has(name)))
      return index;
    for (const { file, name } of fresh) {
      seen.add(`${file}:${name}`);
      classNames.add(name);
    }
  }
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  const { start } = a.range;
  const other = b.range.start;
  return start.line - other.line || start.character - other.character || (a.code < b.code ? -1 : 1);
}
