/** One project at one moment: its declarations and its findings. A finished snapshot never changes. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { IgnoreComment } from '../binder/ignoreComments.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import type { Tables } from '../declarations/tableDeclarations.ts';
import type { Dependencies } from '../environment/Dependencies.ts';
import type { FaultyLine } from '../environment/requirementsFile.ts';
import type { ProjectConfig } from '../reading.ts';
import { comparePositions } from '../syntax/range.ts';

/** The inputs of a snapshot in addition to the Python files. */
export interface SnapshotInputs {
  config: ProjectConfig;
  /** Endpoints that pyproject.toml declares. */
  tables: Tables;
  /** Comments in pyproject.toml that silence findings. */
  ignores: readonly IgnoreComment[];
  dependencies: Dependencies;
  /** What a build refuses of pyproject.toml and `.python-version`. */
  projectFaults: readonly FaultyLine[];
}

export interface Snapshot {
  inputs: SnapshotInputs;
  index: ProjectIndex;
  /**
   * By file, sorted by file, then position. A file whose findings have not changed keeps the same list
   * object.
   */
  findings: ReadonlyMap<string, readonly Diagnostic[]>;
}

/** Sorts by file, then position, then code. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return comparePositions(a.range.start, b.range.start) || (a.code < b.code ? -1 : 1);
}
