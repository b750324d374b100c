/**
 * Caches the facts of unchanged files between commands, because `check` spends most of its time on parsing
 * and starting the engine. Each entry holds a hash of the text that it was computed from.
 */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FileFacts } from '../binder/FileFacts.ts';
import type { SyntaxFault } from '../syntax/findFault.ts';

/**
 * Changes whenever the code that computes facts changes. Undefined when run from sources, which turns the
 * cache off.
 */
const READER_ID = process.env.TOOLKIT_READER_ID;

/** The facts of a file; only the fault for a file that cannot declare anything. */
interface Kept {
  hash: string;
  facts?: FileFacts;
  fault?: SyntaxFault | null;
}

interface CacheFile {
  reader: string;
  files: Record<string, Kept>;
}

export class FactsCache {
  readonly #file: string | null;
  readonly #kept: Map<string, Kept>;
  #changed = false;

  /**
   * @param folder Folder of the caches; null turns the cache off.
   * @param root The project's root, absolute. When two roots share a cache file, each evicts the other's entries.
   */
  constructor(folder: string | null, root: string) {
    const name = `${Buffer.from(root).toString('base64url').slice(-200)}.json`;
    this.#file = folder === null || READER_ID === undefined ? null : path.join(folder, name);
    this.#kept = this.#file === null ? new Map() : read(this.#file);
  }

  /** The entry for a text; empty when there is none. */
  get(file: string, text: string): Omit<Kept, 'hash'> {
    const kept = this.#kept.get(file);
    return kept && kept.hash === hashOf(text) ? kept : {};
  }

  set(file: string, text: string, what: Omit<Kept, 'hash'>): void {
    if (this.#file === null) return;
    this.#kept.set(file, { hash: hashOf(text), ...what });
    this.#changed = true;
  }

  /** Writes the cache if it has changed, without the files that no longer exist. */
  save(isThere: (file: string) => boolean): void {
    if (this.#file === null || !this.#changed) return;
    this.#changed = false;
    const files = Object.fromEntries([...this.#kept].filter(([file]) => isThere(file)));
    const written = `${this.#file}.${process.pid}`;
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true });
      writeFileSync(written, JSON.stringify({ reader: READER_ID, files }), { mode: 0o600 });
      renameSync(written, this.#file);
    } catch {
      // If the cache cannot be written, the next command is slower; nothing else depends on it.
      if (existsSync(written)) rmSync(written);
    }
  }
}

function hashOf(text: string): string {
  return hash('sha256', text, 'base64');
}

/** Empty when the file is missing, damaged or written by another reader. */
function read(file: string): Map<string, Kept> {
  try {
    const { reader, files } = JSON.parse(readFileSync(file, 'utf8')) as CacheFile;
    return reader === READER_ID ? new Map(Object.entries(files)) : new Map();
  } catch {
    return new Map();
  }
}
