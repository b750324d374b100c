/**
 * Facts of files that have not changed, kept from one command to the next: parsing and the engine's start are most of
 * what `check` costs. An entry holds the text it was made from, so a hit is right by construction.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FileFacts } from '../binder/FileFacts.ts';

/** Changes with every change of the code that makes facts; sources run without one and keep nothing. */
const READER_ID = process.env.TOOLKIT_READER_ID;

interface Kept {
  text: string;
  facts: FileFacts;
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

  get(file: string, text: string): FileFacts | null {
    const kept = this.#kept.get(file);
    return kept?.text === text ? kept.facts : null;
  }

  set(file: string, text: string, facts: FileFacts): void {
    this.#kept.set(file, { text, facts });
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

/** Missing, damaged or made by another reader: nothing is known. */
function read(file: string): Map<string, Kept> {
  try {
    const { reader, files } = JSON.parse(readFileSync(file, 'utf8')) as CacheFile;
    return reader === READER_ID ? new Map(Object.entries(files)) : new Map();
  } catch {
    return new Map();
  }
}
