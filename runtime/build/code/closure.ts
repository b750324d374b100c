/**
 * The closure of an endpoint's code: the project files that its modules import, directly or not, and the modules of peers
 * (other endpoints) that get a stub instead. A peer's module that is imported inside a function is not in the closure, as
 * long as only its endpoint functions are used.
 */
import path from 'node:path';
import type { ProjectReading, ResolvedImport } from '../../source/reading.ts';
import type { NamedEndpoint } from './groupEndpoints.ts';
import { importedName, type ServedFunction } from './stubs.ts';

/** The code that one endpoint depends on. */
export interface Closure {
  /** Project files, sorted. */
  files: string[];
  /** Modules of peers → their files. */
  peers: Map<string, string>;
  /** Whether some import is known only at run time, so that every Python file counts. */
  isOpen: boolean;
  /** Whether the endpoint calls another one. */
  callsPeers: boolean;
}

/** Calls that import code at run time, so that reading cannot follow them. */
const RUN_TIME_IMPORT =
  /\b(?:__import__|import_module|run_path|run_module|spec_from_file_location|SourceFileLoader)\b|\b(?:exec|eval)\s*\(/;

/** Reads closures. Reads each file of the project once for all endpoints. */
export class ClosureReader {
  readonly #reading: ProjectReading;
  readonly #shipped: ReadonlySet<string>;
  readonly #functions: ReadonlyMap<string, ServedFunction[]>;
  readonly #texts = new Map<string, string>();

  /** @param functions File → the endpoint functions that it declares. */
  constructor(
    reading: ProjectReading,
    shipped: readonly string[],
    functions: ReadonlyMap<string, ServedFunction[]>,
  ) {
    this.#reading = reading;
    this.#shipped = new Set(shipped);
    this.#functions = functions;
  }

  /** The closure of one endpoint. */
  async read(endpoint: NamedEndpoint): Promise<Closure> {
    const own = new Set(
      [endpoint.file, ...endpoint.functions.map(({ file }) => file)].filter((file) => file.endsWith('.py')),
    );
    const files = new Set<string>();
    const peers = new Map<string, string>();
    const waiting = [...own];
    // It is not known what a command runs or reads, so everything that ships is its code.
    let isOpen = endpoint.command !== null;
    let callsPeers = false;
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (files.has(file)) continue;
      files.add(file);
      const text = this.#text(file);
      isOpen ||= RUN_TIME_IMPORT.test(text);
      callsPeers ||= this.#callsNeighbour(endpoint, file, text);
      for (const statement of await this.#reading.importsOf(file)) {
        for (const target of this.#targets(statement)) {
          const isPeer = !own.has(target.file) && this.#isPeer(endpoint, target.file);
          if (isPeer) {
            peers.set(target.module, target.file);
            callsPeers = true;
            if (this.#usesOnlyFunctions(statement, target, text)) continue;
          }
          waiting.push(target.file);
        }
      }
      waiting.push(...this.#packagesAbove(file));
    }
    return { files: [...files].sort(), peers, isOpen, callsPeers };
  }

  /** Files of the project that an import statement loads: the module, and imported names that are modules. */
  #targets({ module, names, file }: ResolvedImport): { module: string; file: string }[] {
    const found = file !== null && this.#shipped.has(file) ? [{ module, file }] : [];
    const folder = module.replaceAll('.', '/');
    for (const name of names ?? []) {
      for (const candidate of [`${folder}/${name}.py`, `${folder}/${name}/__init__.py`]) {
        if (this.#shipped.has(candidate)) found.push({ module: `${module}.${name}`, file: candidate });
      }
    }
    return found;
  }

  /** Whether a file declares functions of other endpoints only. */
  #isPeer(endpoint: NamedEndpoint, file: string): boolean {
    const declared = this.#functions.get(file) ?? [];
    return declared.length > 0 && declared.every((one) => one.endpoint.name !== endpoint.name);
  }

  #usesOnlyFunctions(
    statement: ResolvedImport,
    target: { module: string; file: string },
    text: string,
  ): boolean {
    if (statement.scope.kind === 'module') return false;
    const functions = new Set(
      (this.#functions.get(target.file) ?? []).map(({ served }) => importedName(served)),
    );
    if (statement.names !== null && target.module === statement.module) {
      return statement.names.every((name) => functions.has(name));
    }
    return usedAttributes(text, target.module)?.every((name) => functions.has(name)) ?? false;
  }

  /** In a file of several endpoints: whether another one's function is mentioned twice outside of quotes. `def` is the first. */
  #callsNeighbour(endpoint: NamedEndpoint, file: string, text: string): boolean {
    const others = (this.#functions.get(file) ?? []).filter((one) => one.endpoint.name !== endpoint.name);
    return others.some(({ served }) => {
      const name = new RegExp(String.raw`(?<!["'])\b${importedName(served)}\b(?!["'])`, 'g');
      return (text.match(name) ?? []).length > 1;
    });
  }

  /** Importing `a.b.c` also runs `a/__init__.py` and `a/b/__init__.py`. */
  #packagesAbove(file: string): string[] {
    const found: string[] = [];
    for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder)) {
      const init = `${folder}/__init__.py`;
      if (this.#shipped.has(init)) found.push(init);
    }
    return found;
  }

  /** The text that the declarations were read from. The file may have changed since. */
  #text(file: string): string {
    const known = this.#texts.get(file) ?? this.#reading.textOf(file) ?? '';
    this.#texts.set(file, known);
    return known;
  }
}

/** Attributes of a module that a text uses; null if it also uses the module itself, for example under another name. */
function usedAttributes(text: string, module: string): string[] | null {
  const last = module.slice(module.lastIndexOf('.') + 1);
  const escaped = last.replaceAll('$', String.raw`\$`);
  if (new RegExp(String.raw`\b${escaped}\s+as\b`).test(text)) return null;
  const uses = [...text.matchAll(new RegExp(String.raw`\b${escaped}\b\s*(?:\.\s*(\w+))?`, 'g'))];
  const lines = new RegExp(String.raw`(?:^|\n)[^\n]*\bimport\b[^\n]*\b${escaped}\b`, 'g');
  const imports = text.match(lines)?.length ?? 0;
  const bare = uses.filter((use) => use[1] === undefined).length;
  return bare > imports ? null : uses.flatMap((use) => (use[1] === undefined ? [] : [use[1]]));
}
