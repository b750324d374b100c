/** What an endpoint's worker runs → one hash, so that a deploy rolls exactly the endpoints whose code changed. */
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ARTIFACT_PATHS } from '../../contract/names.ts';
import type { FileHashes } from './fileHashes.ts';
import type { GeneratedEndpoint } from './generateCode.ts';

/** Files read before others get their turn. */
const AT_ONCE = 256;

/** Hashes the code of endpoints. */
export class CodeFingerprints {
  readonly #hashes: FileHashes;
  readonly #shipped: readonly string[];
  readonly #sdk: string;
  readonly #signal: AbortSignal;

  /** @param sdk Hash of the toolkit_sdk that ships. */
  constructor(hashes: FileHashes, shipped: readonly string[], sdk: string, signal: AbortSignal) {
    this.#hashes = hashes;
    this.#shipped = shipped;
    this.#sdk = sdk;
    this.#signal = signal;
  }

  /** The fingerprint of one endpoint's code, hex sha256. */
  async of({ files, closure }: GeneratedEndpoint): Promise<string> {
    const modules = new Set(closure.files);
    // Which data a module reads cannot be known, so data counts for all. The locked set replaces requirements.txt.
    const counts = (file: string) =>
      file.endsWith('.py') ? closure.isOpen || modules.has(file) : file !== ARTIFACT_PATHS.requirements;
    const listed: [string, string][] = [];
    for (const file of this.#shipped.filter(counts)) {
      if (listed.length % AT_ONCE === 0) await this.#breathe();
      listed.push([file, await this.#hashes.of(file)]);
    }
    const made = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
    return hash('sha256', JSON.stringify([this.#sdk, made, listed]));
  }

  /** Reading small files waits for nothing: an interrupt is seen in between. */
  async #breathe(): Promise<void> {
    await setImmediate();
    this.#signal.throwIfAborted();
  }
}
