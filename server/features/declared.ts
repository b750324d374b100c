/** What features ask an index for again and again: found once for each index, so that a request costs no more than a look-up. */
import type { Declaration } from '../../runtime/source/declarations/Declaration.ts';
import { effectiveName } from '../../runtime/source/declarations/Declaration.ts';
import { moduleOfFile } from '../../runtime/source/declarations/ModuleTable.ts';
import type { ProjectIndex } from '../../runtime/source/declarations/ProjectIndex.ts';
import { type QuotaShares, quotaShares } from '../../runtime/source/declarations/quotaShares.ts';
import type { Cursor } from './cursor.ts';
import type { FeatureContext } from './feature.ts';

/** A variable of a module that is an instance. */
export interface Instance {
  name: string;
  file: string;
  module: string;
  declaration: Declaration;
}

/** A function or class that an endpoint serves. */
export interface Served {
  name: string;
  file: string;
  module: string;
  declaration: Declaration;
  description: string | null;
  isClass: boolean;
}

export class Declared {
  readonly instances: readonly Instance[];
  readonly served: readonly Served[];
  readonly quota: QuotaShares;
  readonly #inFile = new Map<string, Declaration[]>();
  readonly #byPlace = new Map<string, Served[]>();
  readonly #serving = new Map<string, Set<Declaration>>();
  readonly #withInstances: ReadonlySet<string>;
  readonly #names = new Map<string, Declaration[]>();
  static readonly #known = new WeakMap<ProjectIndex, Declared>();

  private constructor(index: ProjectIndex) {
    this.quota = quotaShares(index.declarations);
    const byCall = new Map<string, Declaration>();
    const served: Served[] = [];
    for (const declaration of index.declarations) {
      const { file, call } = declaration;
      byCall.set(placeOf(file, call.range.start.line, call.range.start.character), declaration);
      push(this.#inFile, file, declaration);
      const name = effectiveName(declaration);
      if (name !== null) push(this.#names, name, declaration);
      for (const item of [...declaration.served, ...declaration.routes]) {
        const { description, line, kind } = item.definition;
        const one = {
          name: item.definition.name,
          file: item.file,
          module: importable(item.file),
          declaration,
          description,
          isClass: kind === 'class',
        };
        push(this.#byPlace, placeOf(item.file, line), one);
        served.push(one);
        this.#serving.set(item.file, (this.#serving.get(item.file) ?? new Set()).add(declaration));
      }
    }
    this.served = served;
    this.instances = index.files.flatMap((facts) =>
      Object.entries(facts.scopes[0]!.bindings).flatMap(([name, bindings]) =>
        bindings.flatMap((binding): Instance[] => {
          if (binding.kind !== 'value' || binding.expression.kind !== 'call') return [];
          const { start } = binding.expression.call.range;
          const declaration = byCall.get(placeOf(facts.file, start.line, start.character));
          return declaration ? [{ name, file: facts.file, module: importable(facts.file), declaration }] : [];
        }),
      ),
    );
    this.#withInstances = new Set(this.instances.flatMap(({ name, file }) => [name, file]));
  }

  /** What an index declares. */
  static of(index: ProjectIndex): Declared {
    let known = this.#known.get(index);
    if (!known) {
      known = new Declared(index);
      this.#known.set(index, known);
    }
    return known;
  }

  inFile(file: string): readonly Declaration[] {
    return this.#inFile.get(file) ?? [];
  }

  /** What serves the `def` or `class` of a line, which counts from 1. */
  servedAt(file: string, line: number): readonly Served[] {
    return this.#byPlace.get(placeOf(file, line)) ?? [];
  }

  /** Declarations whose functions stand in a file, wherever they stand themselves. */
  serving(file: string): ReadonlySet<Declaration> {
    return this.#serving.get(file) ?? new Set();
  }

  /** Whether a variable of this name is an instance, or a module of this file has one. */
  hasInstance(nameOrFile: string): boolean {
    return this.#withInstances.has(nameOrFile);
  }

  /** Declarations of a name. */
  named(name: string): readonly Declaration[] {
    return this.#names.get(name) ?? [];
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
    const line = lineOf(text, start);
    const found = document.facts.definitions.find((one) => one.line === line && one.name === name);
    if (found) return found.body;
  }
  return 0;
}

/** Lines count from 1. */
function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** The name to import a file by; in the layout with `src`, packages stand below it. */
function importable(file: string): string {
  return moduleOfFile(file).replace(/^src\./, '');
}

function placeOf(...parts: (string | number)[]): string {
  return parts.join(':');
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
