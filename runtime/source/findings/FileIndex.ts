/** The project as findings see it that are looked for in one file: every answer comes from a question that can be kept. */
import type { FileFacts } from '../binder/FileFacts.ts';
import type { Declaration } from '../declarations/Declaration.ts';
import type { FileDeclarations } from '../declarations/declareFile.ts';
import { EndpointNames } from '../declarations/EndpointNames.ts';
import type { Misuse } from '../declarations/Misuse.ts';
import type { ModuleTable } from '../declarations/ModuleTable.ts';
import { NameResolver } from '../declarations/NameResolver.ts';
import type { QuotaExcess } from '../declarations/quotaShares.ts';
import type { ServedBody } from '../declarations/servedBodies.ts';
import type { MisplacedTable } from '../declarations/tableDeclarations.ts';
import type { Unreadable } from '../discovery/lookAt.ts';

/** What may be asked of a project. */
export interface FileQuestions {
  facts(file: string): FileFacts | null;
  declared(file: string): FileDeclarations | null;
  touching(file: string): readonly Declaration[];
  /** Declarations of one name, in all files. */
  named(name: string): readonly Declaration[];
  /** What workers run of a file. */
  bodiesIn(file: string): readonly ServedBody[];
  /** Of the whole project. */
  bodies(whole: null): readonly ServedBody[];
  /** What is over the account's quota; null for nothing. */
  excess(whole: null): QuotaExcess | null;
  /** Whether a file says the words of a declaration. */
  mentions(file: string): boolean;
  /** Whether it may import a module that does not ship. */
  mayMiss(file: string): boolean;
  /** Whether workers may come to run it. */
  isReached(file: string): boolean;
  /** What stands in pyproject.toml where endpoints should. */
  misplaced(file: string): readonly MisplacedTable[];
  /** Why its content cannot be had. */
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

  /** What the file says; null for pyproject.toml. */
  get facts(): FileFacts | null {
    return this.ask.facts(this.file);
  }

  /** Those that stand in the file, or take a function or route from it, and that a worker may make. */
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

  /** Whether a path of the file stands for an instance. */
  isInstance(scope: number, path: readonly string[]): boolean {
    return this.#endpoints.callsOf(this.file, scope, path).length > 0;
  }
}
