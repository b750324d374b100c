/**
 * A root folder → the facts of the files that may declare endpoints, each file read once and parsed only when it
 * passes the prefilter or a name leads there.
 */
import { statSync } from 'node:fs';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { SDK_MODULE } from '../../contract/names.ts';
import type { FileFacts, SyntaxFault } from '../facts/FileFacts.ts';
import { readFacts } from '../facts/readFacts.ts';
import { ModuleTable } from '../index/ModuleTable.ts';
import { layoutFaultOf } from '../syntax/findFault.ts';
import type { SyntaxParser } from '../syntax/SyntaxParser.ts';
import { loadWasmParser } from '../syntax/wasmParser.ts';
import { type Alias, aliasImport } from './aliasImport.ts';
import { type Decoded, decodeSource } from './decodeSource.ts';
import { FactsCache } from './FactsCache.ts';
import { hasRouteDecorator, mentionsEndpoint } from './prefilter.ts';
import { FileBytes } from './readBytes.ts';
import { undecodable, unreadable } from './unreadable.ts';
import { WithheldModules } from './WithheldModules.ts';
import { codeOf, type ProjectWalk, walkProject } from './walkProject.ts';

/** Files between two looks at the signal. */
const SLICE = 500;

/** Above this many characters, a file that has the words only in texts is data: its layout alone is checked. */
const DATA_SIZE = 32_768;

/** Code that can name `Endpoint` says toolkit_sdk, imports the name or everything, or takes it from a module. */
const NAMES_ENDPOINT =
  /toolkit_sdk|\bimport\b[^#\n]*\bEndpoint\b|\bimport\s*\([^)]*\bEndpoint\b|\bimport[ \t]*\*|\.[ \t]*Endpoint\b/;

/** Facts were asked for that are not kept, and the syntax engine is not loaded yet. */
class EngineNeeded extends Error {}

interface ReadOptions {
  /** Where facts are kept between commands; nothing is kept without one. */
  cacheDir?: string | undefined;
  /** Files that are read even where they are ignored. */
  named?: readonly string[] | undefined;
  /** May throw to stop between two slices of files. */
  checkpoint: () => void;
}

export class ProjectFiles {
  readonly root: string;
  readonly modules: ModuleTable;
  /** How many Python files were looked at. */
  count = 0;
  /** Modules that do not ship. */
  readonly withheld: WithheldModules;
  readonly #walk: ProjectWalk;
  readonly #bytes = new FileBytes();
  readonly #facts = new Map<string, FileFacts | null>();
  readonly #cache: FactsCache;
  /** Passed stage 1. */
  readonly #texts = new Map<string, string>();
  /** Have a route decorator of some instance, and none of the words. */
  readonly #routed: string[] = [];
  readonly #silent: string[] = [];
  readonly #faults: Diagnostic[] = [];
  readonly #mentioning: string[] = [];
  readonly #importers: string[] = [];
  #candidates: string[] = [];
  #usesSdk = false;
  #parser: SyntaxParser | null = null;

  private constructor(root: string, cacheDir: string | null) {
    this.root = root;
    this.#cache = new FactsCache(cacheDir, root);
    this.#walk = walkProject(root);
    const python = this.#walk.files.filter(({ file }) => file.endsWith('.py'));
    this.modules = new ModuleTable(new Set(python.map(({ file }) => file)));
    this.withheld = new WithheldModules(root, this.#walk.withheld);
    for (const { file, code } of this.#walk.unreadable) this.#faults.push(unreadable(file, code));
  }

  /** Walks and reads a project. */
  static read(root: string, { cacheDir, named, checkpoint }: ReadOptions): ProjectFiles {
    const files = new ProjectFiles(root, cacheDir ?? null);
    checkpoint();
    for (const { file, duplicate } of files.#walk.files) {
      if (duplicate || !file.endsWith('.py')) continue;
      files.#look(file);
      if (files.count % SLICE === 0) checkpoint();
    }
    const met = new Set(files.#walk.files.map(({ file }) => file));
    for (const file of named ?? []) {
      if (file.endsWith('.py') && !met.has(file) && isFile(`${root}/${file}`)) files.#look(file);
    }
    files.#candidates.sort();
    return files;
  }

  /**
   * Work that asks for facts. The syntax engine is loaded, and the work begun again, when facts are asked for that no
   * earlier command kept.
   */
  async withEngine<Result>(work: () => Result): Promise<Result> {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof EngineNeeded)) throw error;
      this.#parser = await loadWasmParser();
      return work();
    } finally {
      this.#cache.save((file) => this.modules.has(file));
    }
  }

  /** Facts of the files that may declare endpoints, in order of file; none when nothing mentions toolkit_sdk. */
  candidates(): FileFacts[] {
    if (!this.#usesSdk) return [];
    return this.#candidates.flatMap((file) => this.factsOf(file) ?? []);
  }

  /**
   * Takes in files that can only be known once declarations are: those with route decorators when there are
   * instances, and those that import `Endpoint` by another name that a module gives it.
   *
   * @returns Whether there are more candidates than before.
   */
  promote(hasInstances: boolean, aliases: readonly Alias[]): boolean {
    const before = this.#candidates.length;
    if (hasInstances) this.#candidates.push(...this.#routed.splice(0));
    const tests = aliases.map(aliasImport);
    if (tests.length > 0) {
      for (const file of [...this.#silent, ...this.#routed]) {
        const bytes = this.#readAgain(file);
        if (bytes && tests.some((test) => test(bytes))) this.#candidates.push(file);
      }
    }
    this.#candidates = [...new Set(this.#candidates)].sort();
    return this.#candidates.length > before;
  }

  /** Facts of any Python file of the project; null when it cannot be read. */
  factsOf(file: string): FileFacts | null {
    const known = this.#facts.get(file);
    if (known !== undefined) return known;
    const text = this.#texts.get(file) ?? this.#readText(file);
    const facts = text === null ? null : (this.#cache.get(file, text) ?? this.#parse(file, text));
    this.#texts.delete(file);
    this.#facts.set(file, facts);
    return facts;
  }

  /** Files that cannot be read. */
  diagnostics(): Diagnostic[] {
    return this.#faults;
  }

  /** Facts of the files that may import a module that does not ship. */
  importers(): FileFacts[] {
    return this.#importers.flatMap((file) => this.factsOf(file) ?? []);
  }

  /** Files that say the words of a declaration: their syntax counts even where nothing is declared. */
  mentioning(): readonly string[] {
    return this.#mentioning;
  }

  /** The first fault of a file's text. */
  faultOf(file: string): SyntaxFault | null {
    const text = this.#texts.get(file);
    const isData = text !== undefined && text.length > DATA_SIZE && !mayNameEndpoint(text);
    return isData ? layoutFaultOf(text) : (this.factsOf(file)?.fault ?? null);
  }

  /** Every file that ships. */
  shipped(): string[] {
    return this.#walk.files.map(({ file }) => file);
  }

  #parse(file: string, text: string): FileFacts {
    if (!this.#parser) throw new EngineNeeded();
    const facts = readFacts({ file, text }, this.#parser);
    this.#cache.set(file, text, facts);
    return facts;
  }

  #mention(file: string, text: string): void {
    this.#texts.set(file, text);
    this.#mentioning.push(file);
    if (mayNameEndpoint(text)) this.#candidates.push(file);
  }

  #look(file: string): void {
    let bytes: Buffer;
    try {
      bytes = this.#bytes.read(`${this.root}/${file}`);
    } catch (error) {
      const code = codeOf(error);
      // Deleted between the walk and now.
      if (code !== 'ENOENT') this.#faults.push(unreadable(file, code));
      return;
    }
    this.count += 1;
    if (this.withheld.mayBeImportedBy(bytes, file, this.modules)) this.#importers.push(file);
    if (mentionsEndpoint(bytes)) {
      this.#usesSdk ||= bytes.includes(SDK_MODULE);
      const decoded = decodeSource(bytes);
      if ('text' in decoded) this.#mention(file, decoded.text);
      else this.#faults.push(undecodable(file, decoded));
    } else if (hasRouteDecorator(bytes)) {
      this.#routed.push(file);
    } else {
      this.#silent.push(file);
    }
  }

  #readAgain(file: string): Buffer | null {
    try {
      return this.#bytes.read(`${this.root}/${file}`);
    } catch {
      // Reported by the first look, or deleted since.
      return null;
    }
  }

  #readText(file: string): string | null {
    const bytes = this.#readAgain(file);
    const decoded: Decoded | null = bytes && decodeSource(bytes);
    return decoded && 'text' in decoded ? decoded.text : null;
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

function mayNameEndpoint(text: string): boolean {
  return NAMES_ENDPOINT.test(text);
}
