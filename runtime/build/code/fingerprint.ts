/** The code of an endpoint → one hash, so that a deploy rolls out only the endpoints whose code changed. */
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ARTIFACT_PATHS } from '../../contract/names.ts';
import type { FileHashes } from './fileHashes.ts';
import type { GeneratedEndpoint } from './generateCode.ts';

/** Number of files to read before yielding to the event loop. */
const AT_ONCE = 256;

/** Hashes the code of endpoints. */
export class CodeFingerprints {
  readonly #hashes: FileHashes;
  readonly #shipped: readonly string[];
  readonly #sdk: string;
  readonly #signal: AbortSignal;

  /** @param sdk Hash of the shipped toolkit_sdk. */
  constructor(hashes: FileHashes, shipped: readonly string[], sdk: string, signal: AbortSignal) {
    this.#hashes = hashes;
    this.#shipped = shipped;
    this.#sdk = sdk;
    this.#signal = signal;
  }

  /** The fingerprint of one endpoint's code, hex sha256. */
  async of({ files, closure }: GeneratedEndpoint): Promise<string> {
    const modules = new Set(closure.files);
    // It is not known which data files a module reads, so they count for all endpoints. requirements.txt does not count: the
    // build replaces it with the locked set.
    const counts = (file: string) =>
      file.endsWith('.py') ? closure.isOpen || modules.has(file) : file !== ARTIFACT_PATHS.requirements;
    const listed: [string, string][] = [];
    for (const file of this.#shipped.filter(counts)) {
      if (listed.length % AT_ONCE === 0) await this.#yieldToLoop();
      listed.push([file, await this.#hashes.of(file)]);
    }
    const made = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
    return hash('sha256', JSON.stringify([this.#sdk, made, listed]));
  }

  /** Small files are read synchronously, so without this an interrupt would not be noticed. */
  async #yieldToLoop(): Promise<void> {
    await setImmediate();
    this.#signal.throwIfAborted();
  }
}
