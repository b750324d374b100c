/**
 * The project as the findings of one file see it. Every answer comes from a query whose result can be cached.
 */
import type { FileFacts } from '../binder/FileFacts.ts';
import type { Declaration } from '../declarations/Declaration.ts';
import type { FileDeclarations } from '../declarations/declareFile.ts';
import { EndpointNames } from '../declarations/EndpointNames.ts';
import type { Misuse } from '../declarations/Misuse.ts';
import type { ModuleTable } from '../declarations/ModuleTable.ts';
import { NameResolver } from '../declarations/NameResolver.ts';
import type { QuotaExcess } from '../declarations/quotaShares.ts';
import type { ServedBody } from '../declarations/servedBodies.ts';
import type { SharedDevPath } from '../declarations/sharedDevPaths.ts';
import type { MisplacedTable } from '../declarations/tableDeclarations.ts';
import type { Unreadable } from '../discovery/lookAt.ts';
import type { FaultyLine } from '../environment/requirementsFile.ts';

/** Queries of a project. */
export interface FileQuestions {
  facts(file: string): FileFacts | null;
  declared(file: string): FileDeclarations | null;
  touching(file: string): readonly Declaration[];
  /** Declarations with one name, in all files. */
  named(name: string): readonly Declaration[];
  /** The definitions in a file that workers run. */
  bodiesIn(file: string): readonly ServedBody[];
  /** The definitions in the whole project that workers run. */
  bodies(whole: null): readonly ServedBody[];
  /** By how much the maximum workers exceed the account's quota; null when they do not. */
  excess(whole: null): QuotaExcess | null;
  /** Paths of the dev server that the file shares with other files. */
  sharedDevPaths(file: string): readonly SharedDevPath[];
  /** Whether a file contains the words of a declaration. */
  mentions(file: string): boolean;
  /** Whether a file may import a module that does not ship. */
  mayMiss(file: string): boolean;
  /** Whether workers may run a file. */
  isReached(file: string): boolean;
  /** Tables in pyproject.toml that should be entries of the list of endpoints. */
  misplaced(file: string): readonly MisplacedTable[];
  /** Lines of a file of requirements that a build refuses. */
  faultyLines(file: string): readonly FaultyLine[];
  /** Why a file cannot be read; null when it can. */
  unreadable(file: string): Unreadable | null;
}

export class FileIndex {
  readonly file: string;
  readonly ask: FileQuestions;
  readonly names: NameResolver;
  readonly #endpoints: EndpointNames;

  constructor(
    file: string,
    ask: FileQuestions,
    { modules, classNames }: { modules: ModuleTable; classNames: ReadonlySet<string> },
  ) {
    this.file = file;
    this.ask = ask;
    this.names = new NameResolver(modules, (other) => ask.facts(other));
    this.#endpoints = new EndpointNames(this.names, classNames);
  }

  /** The facts of the file; null for pyproject.toml. */
  get facts(): FileFacts | null {
    return this.ask.facts(this.file);
  }

  /** Declarations in the file, or with a function or route in it, that a worker may create. */
  get declarations(): readonly Declaration[] {
    return this.ask.touching(this.file).filter(({ alternative }) => alternative !== 'unused');
  }

  get bodies(): readonly ServedBody[] {
    return this.ask.bodiesIn(this.file);
  }

  misuses(wanted: Misuse['code']): readonly Misuse[] {
    return this.ask.declared(this.file)?.misuses.filter(({ code }) => code === wanted) ?? [];
  }

  isEndpointClass(scope: number, path: readonly string[]): boolean {
    return this.#endpoints.isEndpointClass(this.file, scope, path);
  }

  /** Whether a dotted name in the file refers to an instance. */
  isInstance(scope: number, path: readonly string[]): boolean {
    return this.#endpoints.callsOf(this.file, scope, path).length > 0;
  }
}
