/** Files of a root → their bytes and texts. A text that is open in an editor replaces the text on disk. */
import { statSync } from 'node:fs';
import type { FileFacts } from '../binder/FileFacts.ts';
import { decodeSource } from './decodeSource.ts';
import { FileBytes } from './readBytes.ts';

/** A text that is open in an editor. */
export interface OpenText {
  readonly text: string;
  readonly facts: FileFacts;
  /** Whether the facts belong to this text; false while they still belong to the previous text. */
  readonly isRead: boolean;
}

export class FileTexts {
  /** Number of times that a file was read from disk. */
  reads = 0;
  /** Texts that are open in editors, by file. */
  readonly open = new Map<string, OpenText>();
  readonly #root: string;
  readonly #bytes = new FileBytes();

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * The bytes on disk, valid until the next read.
   *
   * @throws The file system's own error.
   */
  read(file: string): Buffer {
    this.reads += 1;
    return this.#bytes.read(`${this.#root}/${file}`);
  }

  /**
   * The bytes of the open text, otherwise of the file on disk; valid until the next read. Null when the file
   * cannot be read.
   */
  bytesOf(file: string): Buffer | null {
    const open = this.open.get(file);
    if (open) return Buffer.from(open.text);
    try {
      return this.read(file);
    } catch {
      // Already reported by the first look, or deleted since then.
      return null;
    }
  }

  /** The open text, otherwise the text on disk; null when there is no readable text. */
  textOf(file: string): string | null {
    const open = this.open.get(file);
    if (open) return open.text;
    const bytes = this.bytesOf(file);
    const decoded = bytes && decodeSource(bytes);
    return decoded && 'text' in decoded ? decoded.text : null;
  }

  /** Whether the file exists on disk. */
  isFile(file: string): boolean {
    return statSync(`${this.#root}/${file}`, { throwIfNoEntry: false })?.isFile() ?? false;
  }
}
