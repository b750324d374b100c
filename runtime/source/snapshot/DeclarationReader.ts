/**
 * The files of a project → the declarations of each file. A file is read again only if facts that it asked
 * for have changed.
 */
import { isDeepStrictEqual } from 'node:util';
import type { FileFacts } from '../binder/FileFacts.ts';
import { declareFile, type FileDeclarations } from '../declarations/declareFile.ts';
import { CLASS, EndpointNames } from '../declarations/EndpointNames.ts';
import type { ModuleTable } from '../declarations/ModuleTable.ts';
import { NameResolver } from '../declarations/NameResolver.ts';
import { namesInTurn } from '../declarations/offeredNames.ts';
import type { ProjectFiles } from '../discovery/ProjectFiles.ts';
import { runSteps, type Steps } from '../steps.ts';
import { KeptResults } from './KeptResults.ts';

interface Questions {
  facts(file: string): FileFacts | null | undefined;
}

/** Results that are valid as long as modules export the class `Endpoint` by the same names. */
interface Round {
  classNames: ReadonlySet<string>;
  kept: KeptResults<Questions, ModuleTable, FileDeclarations | null>;
}

export interface DeclaredFiles {
  /** Sorted by file. */
  files: readonly FileDeclarations[];
  /** Names by which modules export the class; the same object as long as they do not change. */
  classNames: ReadonlySet<string>;
}

export class DeclarationReader {
  readonly #files: ProjectFiles;
  readonly #questions: Questions;
  /** By class names. The first round may find more names by which modules export the class. */
  #rounds = new Map<string, Round>();

  constructor(files: ProjectFiles) {
    this.#files = files;
    this.#questions = { facts: (file) => files.known(file) };
  }

  /**
   * Reads the declarations of all files. Declarations can add more files, whose declarations can add more
   * again.
   */
  *read(): Steps<DeclaredFiles> {
    const rounds = new Map<string, Round>();
    const names = new Set<string>([CLASS]);
    const declaring = this.#files.usingSdk();
    let candidates = declaring;
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
        for (const name of declared.classNames) names.add(name);
      }
      const importers = yield* this.#files.importers(this.#offered(files));
      const more = importers.union(new Set(declaring));
      if (more.size === candidates.length && names.size === before) {
        this.#rounds = rounds;
        this.#forgetOthers(candidates);
        return { files, classNames: round.classNames };
      }
      candidates = [...more].sort();
    }
  }

  /** The current declarations of one file, in a single step. */
  readNow(file: string, classNames: ReadonlySet<string>): FileDeclarations | null {
    return runSteps(this.#declared(file, this.#round(classNames)));
  }

  *#declared(file: string, { classNames, kept }: Round): Steps<FileDeclarations | null> {
    const { modules } = this.#files;
    return yield* kept.of(file, modules, this.#questions, function* (ask) {
      const facts = ask.facts(file);
      if (!facts) return null;
      return yield* declareFile(facts, new EndpointNames(new NameResolver(modules, ask.facts), classNames));
    });
  }

  /** Names through which files may declare endpoints or add routes to them. */
  #offered(files: readonly FileDeclarations[]): ReadonlySet<string> {
    const names = new Set<string>([CLASS]);
    for (const { classNames, instanceNames } of files)
      for (const name of [...classNames, ...instanceNames]) names.add(name);
    const others = files.filter(({ facts }) => !facts.mentionsSdk);
    for (let before = -1; before !== names.size; ) {
      before = names.size;
      for (const { facts } of others) for (const name of namesInTurn(facts, names)) names.add(name);
    }
    return names;
  }

  #round(names: ReadonlySet<string>): Round {
    const known = this.#rounds.get(keyOf(names));
    return known ?? { classNames: new Set(names), kept: new KeptResults(this.#files, areSame) };
  }

  #forgetOthers(candidates: readonly string[]): void {
    const there = new Set(candidates);
    for (const { kept } of this.#rounds.values()) kept.keepOnly(there);
  }
}

/**
 * Different facts are different objects, so declarations are compared only if their facts are the same
 * object.
 */
function areSame(a: FileDeclarations | null, b: FileDeclarations | null): boolean {
  return a?.facts === b?.facts && isDeepStrictEqual(a, b);
}

function keyOf(names: ReadonlySet<string>): string {
  return [...names].sort().join(' ');
}
