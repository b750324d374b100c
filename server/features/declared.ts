/** What features ask an index for again and again: found once for each index, so that a request costs no more than a look-up. */
import { type Declaration, effectiveName } from '../../runtime/source/declarations/Declaration.ts';
import { moduleOfFile } from '../../runtime/source/declarations/ModuleTable.ts';
import type { ProjectIndex } from '../../runtime/source/declarations/ProjectIndex.ts';
import { type QuotaShares, quotaShares } from '../../runtime/source/declarations/quotaShares.ts';
import { slotsOf } from '../../runtime/source/references/slotsOf.ts';
import type { Cursor } from './cursor.ts';
import { endpointNodes, type ServedNode } from './endpointNodes.ts';
import type { FeatureContext } from './feature.ts';
import { positionAt } from './textPlaces.ts';

/** A variable of a module that is an instance. */
interface Instance {
  name: string;
  file: string;
  declaration: Declaration;
}

export class Declared {
  readonly instances: readonly Instance[];
  /** Functions and classes of endpoints. */
  readonly served: readonly ServedNode[];
  readonly quota: QuotaShares;
  readonly #inFile: ReadonlyMap<string, Declaration[]>;
  readonly #named: ReadonlyMap<string | null, Declaration[]>;
  readonly #serving: ReadonlyMap<string, ServedNode[]>;
  readonly #withInstances: ReadonlySet<string>;
  static readonly #known = new WeakMap<ProjectIndex, Declared>();

  private constructor(index: ProjectIndex) {
    const { declarations } = index;
    this.quota = quotaShares(declarations);
    this.#inFile = Map.groupBy(declarations, ({ file }) => file);
    this.#named = Map.groupBy(declarations, effectiveName);
    this.served = endpointNodes(index).flatMap(({ functions }) => functions);
    this.#serving = Map.groupBy(this.served, ({ file }) => file);
    this.instances = declarations.flatMap((declaration) => {
      // Names of functions come first.
      const variables = slotsOf(index, declaration).slice(
        declaration.served.length + declaration.routes.length,
      );
      const ofModule = variables.filter(({ scope }) => scope === 0);
      return ofModule.map(({ name, file }) => ({ name, file, declaration }));
    });
    this.#withInstances = new Set(this.instances.flatMap(({ name, file }) => [name, file]));
  }

  /** What an index declares. */
  static of(index: ProjectIndex): Declared {
    const known = this.#known.get(index) ?? new Declared(index);
    this.#known.set(index, known);
    return known;
  }

  inFile(file: string): readonly Declaration[] {
    return this.#inFile.get(file) ?? [];
  }

  /** Declarations whose functions are in a file, wherever they are themselves. */
  serving(file: string): ReadonlySet<Declaration> {
    return new Set(this.#serving.get(file)?.map(({ declaration }) => declaration));
  }

  /** Whether a variable of this name is an instance, or a module of this file has one. */
  hasInstance(nameOrFile: string): boolean {
    return this.#withInstances.has(nameOrFile);
  }

  /** Declarations of a name. */
  named(name: string): readonly Declaration[] {
    return this.#named.get(name) ?? [];
  }

  /** Whether its functions are served, or it declares something. */
  declares(file: string): boolean {
    return this.#inFile.has(file) || this.#serving.has(file);
  }
}

/** Whether a file has anything to do with toolkit_sdk: it says so, or it imports an instance of the project. */
export function concerns({ project, document }: FeatureContext): boolean {
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
  { document }: FeatureContext,
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
