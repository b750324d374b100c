/** The files of a project as they are now → its newest snapshot: one way for the commands and the editor. */
import { isDeepStrictEqual } from 'node:util';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { FileDeclarations } from '../declarations/declareFile.ts';
import { ProjectIndex } from '../declarations/ProjectIndex.ts';
import type { ProjectFiles } from '../discovery/ProjectFiles.ts';
import type { Steps } from '../steps.ts';
import { DeclarationReader, type DeclaredFiles } from './DeclarationReader.ts';
import type { Snapshot, SnapshotInputs } from './Snapshot.ts';

/** Finds what is wrong in the files of an index: a floor above, which is handed in. */
export interface FindingSource {
  /** Of all files, a file or less in each step. */
  read(index: ProjectIndex, inputs: SnapshotInputs): Steps<Map<string, readonly Diagnostic[]>>;
  /** Of one file as it is now, at once. */
  readNow(file: string, index: ProjectIndex, inputs: SnapshotInputs): readonly Diagnostic[];
}

export class SnapshotReader {
  readonly #files: ProjectFiles;
  readonly #declarations: DeclarationReader;
  readonly #findings: FindingSource;
  readonly #readsAhead: boolean;
  /** Of the last snapshot, and of what was patched since. */
  #index: ProjectIndex | null = null;
  #patched: ProjectIndex | null = null;

  /**
   * @param readsAhead - Whether all that packages say of themselves is read in steps of its own, before a rule may ask
   * for it; else it is read when one does.
   */
  constructor(files: ProjectFiles, findings: FindingSource, readsAhead: boolean) {
    this.#files = files;
    this.#readsAhead = readsAhead;
    this.#declarations = new DeclarationReader(files);
    this.#findings = findings;
  }

  /** Reads the project, a file or less in each step; what has not changed since is not read again. */
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
   * A snapshot with some files as they are now: what they declare, and the findings in them. Other files may stand for
   * what they were.
   */
  patched({ inputs, index, findings }: Snapshot, changed: Iterable<string>): Snapshot {
    const found = new Map(findings);
    const declaring = [...changed].filter((file) => this.#files.mayDeclare(file) || index.ofFile(file));
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

  /** The index of what files declare: one that is known, while they declare what they did. */
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

/** The instances of a file before and after an edit: by their names, else by their order. */
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
