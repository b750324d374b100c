/**
 * The files of a project → what each declares. A file is looked at again only when facts that it asked for are others
 * than they were.
 */
import { isDeepStrictEqual } from 'node:util';
import type { FileFacts } from '../binder/FileFacts.ts';
import { declareFile, type FileDeclarations } from '../declarations/declareFile.ts';
import { CLASS, EndpointNames } from '../declarations/EndpointNames.ts';
import type { ModuleTable } from '../declarations/ModuleTable.ts';
import { NameResolver } from '../declarations/NameResolver.ts';
import type { Alias } from '../discovery/aliasImport.ts';
import type { ProjectFiles } from '../discovery/ProjectFiles.ts';
import { runSteps, type Steps } from '../steps.ts';
import { type Answers, recording, stillHolds } from './recording.ts';
import { Unread } from './Unread.ts';

interface Questions {
  facts(file: string): FileFacts | null | undefined;
}

interface Kept {
  modules: ModuleTable;
  answers: Answers<Questions>;
  value: FileDeclarations | null;
}

/** What is known while some names offer the class `Endpoint`. */
interface Round {
  classNames: ReadonlySet<string>;
  kept: Map<string, Kept>;
}

export interface DeclaredFiles {
  /** In order of file. */
  files: readonly FileDeclarations[];
  /** Names by which modules offer the class; the same object while they are the same. */
  classNames: ReadonlySet<string>;
}

export class DeclarationReader {
  readonly #files: ProjectFiles;
  readonly #questions: Questions;
  /** By class names: modules may offer the class by names that only a first round tells. */
  #rounds = new Map<string, Round>();

  constructor(files: ProjectFiles) {
    this.#files = files;
    this.#questions = { facts: (file) => files.known(file) };
  }

  /** Reads what all files declare. Declarations may bring in more files, whose declarations may bring in more. */
  *read(): Steps<DeclaredFiles> {
    const rounds = new Map<string, Round>();
    const names = new Set<string>([CLASS]);
    const aliases = new Map<string, Alias>();
    let hasInstances = false;
    let candidates = yield* this.#files.candidates(false, []);
    for (;;) {
      const round = this.#round(names);
      rounds.set(keyOf(names), round);
      const before = names.size;
      const files: FileDeclarations[] = [];
      for (const file of candidates) {
        const declared = yield* this.#declared(file, round);
        yield;
        if (!declared) continue;
        files.push(declared);
        hasInstances ||= declared.instances.size > 0;
        for (const name of declared.aliases) aliases.set(`${file}:${name}`, { file, name });
      }
      for (const { name } of aliases.values()) names.add(name);
      const more = yield* this.#files.candidates(hasInstances, [...aliases.values()]);
      if (more.length === candidates.length && names.size === before) {
        this.#rounds = rounds;
        this.#forgetOthers(candidates);
        return { files, classNames: round.classNames };
      }
      candidates = more;
    }
  }

  /** What one file declares as it is now, at once. */
  readNow(file: string, classNames: ReadonlySet<string>): FileDeclarations | null {
    return runSteps(this.#declared(file, this.#round(classNames)));
  }

  *#declared(file: string, { classNames, kept }: Round): Steps<FileDeclarations | null> {
    const { modules } = this.#files;
    const known = kept.get(file);
    if (known?.modules === modules && stillHolds(known.answers, this.#questions)) return known.value;
    for (;;) {
      const unread = new Unread(this.#files);
      const { asked, answers } = recording(this.#questions);
      const factsOf = (other: string) => unread.facts(other, asked.facts(other));
      const facts = factsOf(file);
      const value =
        facts &&
        (yield* declareFile(facts, new EndpointNames(new NameResolver(modules, factsOf), classNames)));
      if (!unread.isEmpty) {
        yield* unread.read();
        continue;
      }
      // What says the same is the same: what follows from it need not be looked for again.
      const isSame = known?.value?.facts === value?.facts && isDeepStrictEqual(known?.value, value);
      const declared = isSame ? known!.value : value;
      kept.set(file, { modules, answers, value: declared });
      return declared;
    }
  }

  #round(names: ReadonlySet<string>): Round {
    return this.#rounds.get(keyOf(names)) ?? { classNames: new Set(names), kept: new Map() };
  }

  #forgetOthers(candidates: readonly string[]): void {
    const there = new Set(candidates);
    for (const { kept } of this.#rounds.values())
      for (const file of kept.keys()) if (!there.has(file)) kept.delete(file);
  }
}

function keyOf(names: ReadonlySet<string>): string {
  return [...names].sort().join(' ');
}
