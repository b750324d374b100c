/** What an endpoint's worker runs → one hash, so that a deploy rolls exactly the endpoints whose code changed. */
import { createHash, hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { parse } from 'smol-toml';
import { ARTIFACT_PATHS, PROJECT_FILES } from '../../contract/names.ts';
import type { GeneratedEndpoint } from './generateCode.ts';
import { openShipped, readShipped } from './openShipped.ts';

/** Files read before others get their turn. */
const AT_ONCE = 256;

/** Hashes files of a project, each once. */
export class CodeFingerprints {
  readonly #root: string;
  readonly #shipped: readonly string[];
  readonly #sdk: string;
  readonly #signal: AbortSignal;
  readonly #known = new Map<string, Promise<string>>();

  /** @param sdk Hash of the toolkit_sdk that ships. */
  constructor(root: string, shipped: readonly string[], sdk: string, signal: AbortSignal) {
    this.#root = root;
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
      listed.push([file, await this.#hashOf(file)]);
    }
    const made = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
    return hash('sha256', JSON.stringify([this.#sdk, made, listed]));
  }

  /** Reading small files waits for nothing: an interrupt is seen in between. */
  async #breathe(): Promise<void> {
    await setImmediate();
    this.#signal.throwIfAborted();
  }

  #hashOf(file: string): Promise<string> {
    const known = this.#known.get(file) ?? hashOf(this.#root, file, this.#signal);
    this.#known.set(file, known);
    return known;
  }
}

async function hashOf(root: string, file: string, signal: AbortSignal): Promise<string> {
  const small = readShipped(root, file);
  if (small && file === PROJECT_FILES.pyproject) return hashOfPyproject(small.bytes.toString());
  if (small) return hash('sha256', small.bytes);
  const handle = await openShipped(root, file);
  const digest = createHash('sha256');
  for await (const chunk of handle.createReadStream({ signal })) digest.update(chunk as Buffer);
  return digest.digest('hex');
}

/** What `[tool.toolkit]` says is settings, told by the manifest: no endpoint rolls for another one's. */
function hashOfPyproject(text: string): string {
  const document = parse(text.replace(/^\uFEFF/, ''));
  if (typeof document.tool === 'object' && !Array.isArray(document.tool)) {
    const { toolkit: _settings, ...others } = document.tool as Record<string, unknown>;
    return hash('sha256', JSON.stringify({ ...document, tool: others }));
  }
  return hash('sha256', JSON.stringify(document));
}
