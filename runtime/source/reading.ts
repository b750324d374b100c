/**
 * The result of reading a project, for build, dev, the CLI and the editor: plain data, and three queries that
 * are answered on demand (which files ship, what a module imports, the text of a file).
 */
import type { Diagnostic, Range } from '../contract/diagnostic.ts';
import type { Endpoint } from '../contract/endpoint.ts';

/** The Python version that a project chooses, or the versions that it allows. */
export interface TargetPython {
  /** `[tool.toolkit] python`, else `.python-version`: a minor version such as `3.11`; null when neither is set. */
  python: string | null;
  /** `[project] requires-python` as written; null when it is not set. */
  requiresPython: string | null;
}

/** `[project]` and `[tool.toolkit]` of pyproject.toml, and `.python-version`, with defaults applied. */
export interface ProjectConfig extends TargetPython {
  /** Whether `.python-version` chooses the Python version. */
  isPythonOfFile: boolean;
  /** `[tool.toolkit] app`, else `[project] name`, else the root folder's name. */
  app: string;
  /** `[tool.toolkit] quota`, else 30. */
  quota: number;
  /** `[project] dependencies`, each as written. */
  dependencies: string[];
}

/** One import statement's module, resolved against the project. */
export interface ResolvedImport {
  /** Absolute dotted name, relative imports already resolved. */
  module: string;
  /** Imported names; null for `import module`; `['*']` for a star import. */
  names: string[] | null;
  /** The module's file, relative to the root; null when it is not in the project. */
  file: string | null;
  /** Where the statement is: at module level or in the body of a function, given by its qualified name. */
  scope: { kind: 'module' } | { kind: 'function'; function: string };
  range: Range;
}

/** A project, read without running any of it. */
export interface ProjectReading {
  /** Absolute path. */
  root: string;
  config: ProjectConfig;
  /** Every declaration site, in order of file, then line. */
  sites: Endpoint[];
  /** The endpoints: all sites that are not an alternative of another site. */
  endpoints: Endpoint[];
  /** All findings of the project, sorted by file, then position. */
  diagnostics: Diagnostic[];
  /** Number of files that were looked at. */
  files: number;
  /** Every file that ships, relative to the root with `/`, sorted by code unit. */
  shippedFiles(): Promise<readonly string[]>;
  /**
   * Imports of one of the project's Python files, in source order. A package resolves to its `__init__.py`.
   */
  importsOf(file: string): Promise<ResolvedImport[]>;
  /** The text that diagnostics of a file refer to; null when it has none. */
  textOf: (file: string) => string | null;
}
