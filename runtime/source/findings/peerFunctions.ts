/** Names in a file → the functions of other endpoints that they stand for. */
import type { FileFacts, Import } from '../binder/FileFacts.ts';
import type { Declaration } from '../declarations/Declaration.ts';
import { effectiveName } from '../declarations/Declaration.ts';
import type { Entity } from '../declarations/NameResolver.ts';
import type { ServedBody } from '../declarations/servedBodies.ts';
import type { FileIndex } from './FileIndex.ts';

export class PeerFunctions {
  readonly #index: FileIndex;

  constructor(index: FileIndex) {
    this.#index = index;
  }

  /** The function of another file, and of another endpoint than this file's own, that a path stands for for certain. */
  named(facts: FileFacts, scope: number, path: readonly string[]): ServedBody | null {
    for (let end = 1; end <= path.length; end += 1) {
      const entities = this.#index.names.resolve(facts.file, scope, path.slice(0, end));
      const [entity, ...others] = entities;
      if (entity === undefined || !others.every((other) => isOneModule(entity, other))) return null;
      if (entity.kind === 'definition') {
        if (entity.file === facts.file) return null;
        const bodies = this.#index.ask.bodiesIn(entity.file);
        const peer = bodies.find(({ definition }) => definition === entity.definition);
        return peer && !this.#isOwn(facts.file, peer) ? peer : null;
      }
      if (entity.kind !== 'module') return null;
    }
    return null;
  }

  /** Whether an import statement leads to a module with functions of other endpoints. */
  areImportedBy({ target, names }: Import, from: string): boolean {
    const { modules } = this.#index.names;
    const stem = modules.resolve(target, from);
    if (stem === null) return false;
    const stems = [stem, ...(names ?? []).flatMap((name) => modules.child(stem, name) ?? [])];
    const files = new Set(stems.map((one) => modules.fileOf(one)));
    return [...files].some(
      (file) => file !== null && this.#index.ask.bodiesIn(file).some((body) => !this.#isOwn(from, body)),
    );
  }

  /** Whether the endpoint is declared, or served, by this file too. */
  #isOwn(file: string, peer: ServedBody): boolean {
    const own = this.#index.ask.bodiesIn(file).flatMap(({ declarations }) => declarations);
    return peer.declarations.every((declaration) => own.some((other) => isSame(declaration, other)));
  }
}

/** `import a.b` and `import a.c` bind one name to one package. */
function isOneModule(a: Entity, b: Entity): boolean {
  return a.kind === 'module' && b.kind === 'module' && a.stem === b.stem;
}

function isSame(a: Declaration, b: Declaration): boolean {
  return a === b || (effectiveName(a) !== null && effectiveName(a) === effectiveName(b));
}
