/**
 * What was read of files that have not changed, kept from one command to the next: parsing and the engine's start are
 * most of what `check` costs. An entry holds a hash of the text that it was made from.
 */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FileFacts } from '../binder/FileFacts.ts';
import type { SyntaxFault } from '../syntax/findFault.ts';

/** Changes with every change of the code that makes facts; sources run without one and keep nothing. */
const READER_ID = process.env.TOOLKIT_READER_ID;

/** Facts, or of a file that cannot declare anything its fault alone. */
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
   * @param folder Where caches lie; null keeps nothing.
   * @param root The project's root, absolute. Two roots may share a file: they only push each other out.
   */
  constructor(folder: string | null, root: string) {
    const name = `${Buffer.from(root).toString('base64url').slice(-200)}.json`;
    this.#file = folder === null || READER_ID === undefined ? null : path.join(folder, name);
    this.#kept = this.#file === null ? new Map() : read(this.#file);
  }

  /** What is kept of a text. */
  get(file: string, text: string): Omit<Kept, 'hash'> {
    const kept = this.#kept.get(file);
    return kept && kept.hash === hashOf(text) ? kept : {};
  }

  set(file: string, text: string, what: Omit<Kept, 'hash'>): void {
    if (this.#file === null) return;
    this.#kept.set(file, { hash: hashOf(text), ...what });
    this.#changed = true;
  }

  /** Writes what is new; files that are no longer there go. */
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
      // A home that cannot be written, or is full, makes the next command slower and nothing else.
      if (existsSync(written)) rmSync(written);
    }
  }
}

function hashOf(text: string): string {
  return hash('sha256', text, 'base64');
}

/** Missing, damaged or made by another reader: nothing is known. */
function read(file: string): Map<string, Kept> {
  try {
    const { reader, files } = JSON.parse(readFileSync(file, 'utf8')) as CacheFile;
    return reader === READER_ID ? new Map(Object.entries(files)) : new Map();
  } catch {
    return new Map();
  }
}
