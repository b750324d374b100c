/** The current files of a project → its newest snapshot. Commands and the editor share this code. */
import { isDeepStrictEqual } from 'node:util';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { FileDeclarations } from '../declarations/declareFile.ts';
import { ProjectIndex } from '../declarations/ProjectIndex.ts';
import type { ProjectFiles } from '../discovery/ProjectFiles.ts';
import type { Steps } from '../steps.ts';
import { DeclarationReader, type DeclaredFiles } from './DeclarationReader.ts';
import type { Snapshot, SnapshotInputs } from './Snapshot.ts';

/** Computes the findings of an index; implemented on a floor above and passed in. */
export interface FindingSource {
  /** The findings of all files, at most one file in each step. */
  read(index: ProjectIndex, inputs: SnapshotInputs): Steps<Map<string, readonly Diagnostic[]>>;
  /** The current findings of one file, in a single step. */
  readNow(file: string, index: ProjectIndex, inputs: SnapshotInputs): readonly Diagnostic[];
}

export class SnapshotReader {
  readonly #files: ProjectFiles;
  readonly #declarations: DeclarationReader;
  readonly #findings: FindingSource;
  readonly #readsAhead: boolean;
  /** The index of the last snapshot, and the index that was patched since. */
  #index: ProjectIndex | null = null;
  #patched: ProjectIndex | null = null;

  /**
   * @param readsAhead - Whether the metadata of packages is read in steps before any rule runs, instead of
   *   when a rule asks for it.
   */
  constructor(files: ProjectFiles, findings: FindingSource, readsAhead: boolean) {
    this.#files = files;
    this.#readsAhead = readsAhead;
    this.#declarations = new DeclarationReader(files);
    this.#findings = findings;
  }

  /** Reads the project, at most one file in each step. Unchanged files are not read again. */
  *read(inputs: SnapshotInputs): Steps<Snapshot> {
    this.#files.pythonVersion = inputs.config.python;
    yield* this.#files.readChanged();
    const declared = yield* this.#declarations.read();
    const index = this.#indexOf(declared, inputs);
    this.#index = index;
    this.#patched = null;
    yield;
    if (this.#readsAhead && index.declarations.length > 0) yield* inputs.dependencies.environment.prepare();
    return { inputs, index, findings: yield* this.#findings.read(index, inputs) };
  }

  /**
   * A snapshot in which some files are updated: their declarations and findings. Findings in other files may
   * be out of date.
   */
  patched({ inputs, index, findings }: Snapshot, changed: Iterable<string>): Snapshot {
    const found = new Map(findings);
    const declaring = [...changed].filter((file) => this.#files.usesSdk(file) || index.ofFile(file));
    const now = declaring.length > 0 ? this.#withFiles(index, new Set(declaring)) : index;
    for (const file of changed) found.set(file, this.#findings.readNow(file, now, inputs));
    return { inputs, index: now, findings: found };
  }

  #withFiles(before: ProjectIndex, changed: ReadonlySet<string>): ProjectIndex {
    const { project } = before;
    const fresh = [...changed].flatMap((file) => this.#declarations.readNow(file, project.classNames) ?? []);
    const others = project.files.filter(({ facts }) => !changed.has(facts.file));
    const files = [...others, ...fresh].sort((a, b) => (a.facts.file < b.facts.file ? -1 : 1));
    const moved = new Map(fresh.flatMap((one) => movedInstances(before.ofFile(one.facts.file), one)));
    this.#patched = new ProjectIndex({ ...project, files, moved }, before);
    return this.#patched;
  }

  /** The index of the declared files; a known index if the declarations have not changed. */
  #indexOf({ files, classNames }: DeclaredFiles, { tables }: SnapshotInputs): ProjectIndex {
    const { modules } = this.#files;
    const factsOf = (file: string) => this.#files.factsOf(file);
    const isSame = ({ project }: ProjectIndex) =>
      project.tables === tables &&
      project.modules === modules &&
      project.classNames === classNames &&
      project.files.length === files.length &&
      files.every((one, at) => one === project.files[at]);
    const known = [this.#patched, this.#index].find((one) => one !== null && isSame(one));
    return known ?? new ProjectIndex({ files, tables, modules, factsOf, classNames }, this.#index);
  }
}

/**
 * The instances of a file before an edit → the instances after it. Matched by order if their number is the
 * same, otherwise by name.
 */
function movedInstances(before: FileDeclarations | null, now: FileDeclarations): [string, string][] {
  const own = (declared: FileDeclarations | null) =>
    [...(declared?.instances ?? [])].filter(([, { file }]) => file === now.facts.file);
  const [old, fresh] = [own(before), own(now)];
  return old.flatMap(([key, { name }], at): [string, string][] => {
    const named = fresh.find(([, one]) => isDeepStrictEqual(one.name, name));
    const meant = old.length === fresh.length ? fresh[at] : named;
    return meant ? [[key, meant[0]]] : [];
  });
}
