/** Imports of a file → the modules of other distributions, and whether the file's endpoints provide them. */
import type { Range } from '../../contract/diagnostic.ts';
import { SDK_MODULE } from '../../contract/names.ts';
import type { Import } from '../binder/FileFacts.ts';
import { isStandardLibrary } from '../binder/standardLibrary.ts';
import type { Declaration } from '../declarations/Declaration.ts';
import { namespaceOf } from '../environment/knownModules.ts';
import { declaredBy, requirementsOf } from '../environment/requirementsOf.ts';
import type { FileIndex } from './FileIndex.ts';
import type { FindingContext } from './Finding.ts';

/** How messages describe a module that no known distribution provides. */
export const UNKNOWN = 'not a module of the project, an installed package or a known package';

/** A module of another distribution, and the range that names it. */
interface ImportedModule {
  /** Dotted. */
  module: string;
  range: Range;
}

export class ImportedPackages {
  readonly #index: FileIndex;
  readonly #context: FindingContext;
  readonly #requirements = new Map<Declaration, readonly string[] | null>();

  constructor(index: FileIndex, context: FindingContext) {
    this.#index = index;
    this.#context = context;
  }

  /**
   * Modules that belong neither to the project, nor to Python, nor to the toolkit. In
   * `from google.cloud import storage`, each name counts as a module, because different distributions provide
   * them.
   */
  modulesOf({ target, names, range, nameRanges }: Import): ImportedModule[] {
    const { file } = this.#index;
    const { modules } = this.#index.names;
    const { withheld } = this.#context;
    if (target.folder !== null) return [];
    const [first] = target.module.split('.', 1);
    // Only Python's own modules begin with two underscores: `__main__`, `__future__`.
    if (!first || first === SDK_MODULE || first.startsWith('__') || isStandardLibrary(first)) return [];
    if (modules.resolve({ folder: null, module: first }, file) !== null) return [];
    // A module of the project that does not ship is reported by `imports-ignored-file`.
    const members = (names ?? []).map((name) => withheld.missedMember(modules, target, file, name));
    if ([withheld.missedBy(modules, target, file), ...members].some((missed) => missed !== null)) return [];
    if (names === null || namespaceOf(target.module) !== target.module)
      return [{ module: target.module, range }];
    return names.map((name, at) => ({ module: `${target.module}.${name}`, range: nameRanges[at] ?? range }));
  }

  /**
   * Whether an endpoint's workers have a module, or may have it; `more` lists packages that they install in
   * addition.
   */
  provides(declaration: Declaration, module: string, more: readonly string[] = []): boolean {
    const requirements = this.requirementsOf(declaration);
    return requirements === null || this.#context.dependencies.provides([...requirements, ...more], module);
  }

  /** All requirements that an endpoint's workers install; null when not all of them are known. */
  requirementsOf(declaration: Declaration): readonly string[] | null {
    let known = this.#requirements.get(declaration);
    if (known === undefined) {
      known = requirementsOf(this.#index.ask, declaration, this.#context.dependencies);
      this.#requirements.set(declaration, known);
    }
    return known;
  }

  /** The distribution that provides a module; null when none is known. */
  distributionOf(module: string): string | null {
    const declarations = () => this.#index.ask.bodies(null).flatMap((body) => body.declarations);
    return this.#context.dependencies.distributionOf(module, () => declaredBy(declarations()));
  }
}
