/** What features ask an index for again and again: found once for each index, so that a request costs no more than a look-up. */
import type { FileFacts } from '../../runtime/source/binder/FileFacts.ts';
import type { Declaration } from '../../runtime/source/declarations/Declaration.ts';
import { moduleOfFile } from '../../runtime/source/declarations/ModuleTable.ts';
import type { ProjectIndex } from '../../runtime/source/declarations/ProjectIndex.ts';
import { type QuotaShares, quotaShares } from '../../runtime/source/declarations/quotaShares.ts';
import type { Cursor } from './cursor.ts';
import { endpointNodes, type ServedNode } from './endpointNodes.ts';
import type { PythonContext } from './feature.ts';
import { positionAt } from './textPlaces.ts';

/** A variable of a module that is an instance. */
interface Instance {
  name: string;
  file: string;
  declaration: Declaration;
}

export class Declared {
  readonly #index: ProjectIndex;
  #quota: QuotaShares | null = null;
  #served: readonly ServedNode[] | null = null;
  #instances: readonly Instance[] | null = null;
  #withInstances: ReadonlySet<string> | null = null;
  static readonly #known = new WeakMap<ProjectIndex, Declared>();

  private constructor(index: ProjectIndex) {
    this.#index = index;
  }

  /** What an index declares; each part is found when it is first asked for. */
  static of(index: ProjectIndex): Declared {
    const known = this.#known.get(index) ?? new Declared(index);
    this.#known.set(index, known);
    return known;
  }

  get quota(): QuotaShares {
    this.#quota ??= quotaShares(this.#index.declarations);
    return this.#quota;
  }

  /** Functions and classes of endpoints. */
  get served(): readonly ServedNode[] {
    this.#served ??= endpointNodes(this.#index).flatMap(({ functions }) => functions);
    return this.#served;
  }

  get instances(): readonly Instance[] {
    this.#instances ??= this.#index.files.flatMap((facts) => this.#instancesIn(facts));
    return this.#instances;
  }

  inFile(file: string): readonly Declaration[] {
    return this.#index.touching(file).filter((declaration) => declaration.file === file);
  }

  /** Declarations whose functions are in a file, wherever they are themselves. */
  serving(file: string): ReadonlySet<Declaration> {
    const isHere = (one: { file: string }) => one.file === file;
    return new Set(
      this.#index.touching(file).filter(({ served, routes }) => served.some(isHere) || routes.some(isHere)),
    );
  }

  /** Whether a variable of this name is an instance, or a module of this file has one. */
  hasInstance(nameOrFile: string): boolean {
    this.#withInstances ??= new Set(this.instances.flatMap(({ name, file }) => [name, file]));
    return this.#withInstances.has(nameOrFile);
  }

  /** Declarations of a name. */
  named(name: string): readonly Declaration[] {
    return this.#index.named(name);
  }

  /** Whether its functions are served, or it declares something. */
  declares(file: string): boolean {
    return this.#index.touching(file).length > 0;
  }

  #instancesIn({ file, scopes }: FileFacts): Instance[] {
    return Object.entries(scopes[0]!.bindings).flatMap(([name, bindings]) =>
      bindings.flatMap((binding): Instance[] => {
        if (binding.kind !== 'value' || binding.expression.kind !== 'call') return [];
        const { call } = binding.expression;
        const declaration = this.inFile(file).find((one) => one.call === call);
        return declaration ? [{ name, file, declaration }] : [];
      }),
    );
  }
}

/** Whether a file has anything to do with toolkit_sdk: it says so, or it imports an instance of the project. */
export function concerns({ project, document }: PythonContext): boolean {
  const { facts, file } = document;
  if (facts.mentionsSdk) return true;
  const { index } = project;
  const declared = Declared.of(index);
  if (declared.declares(file)) return true;
  return facts.imports.some(({ target, names: imported }) => {
    if (imported?.some((name) => declared.hasInstance(name))) return true;
    const stem = index.names.modules.resolve(target, file);
    const module = stem === null ? null : index.names.modules.fileOf(stem);
    return module !== null && declared.hasInstance(module);
  });
}

/** The scope of the innermost function or class around a cursor that the file's facts know, the module's else. */
export function scopeAt(
  { document }: PythonContext,
  { text, blocks }: Pick<Cursor, 'text' | 'blocks'>,
): number {
  for (const { start, name } of blocks.toReversed()) {
    const line = positionAt(text, start).line + 1;
    const found = document.facts.definitions.find((one) => one.line === line && one.name === name);
    if (found) return found.body;
  }
  return 0;
}

/** The name to import a file by, without `src` of that layout; null where Python has no such name. */
export function importName(file: string): string | null {
  const module = moduleOfFile(file).replace(/^src\./, '');
  return /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(module) ? module : null;
}
