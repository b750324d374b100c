/** Files of a project → hashes of the contents that matter to a worker. Each file is read once, until `forget`. */
import { createHash, hash } from 'node:crypto';
import { parse } from 'smol-toml';
import { PROJECT_FILES } from '../../contract/names.ts';
import { openShipped, readShipped } from './openShipped.ts';

export class FileHashes {
  /** The project's root. */
  readonly root: string;
  readonly #signal: AbortSignal;
  readonly #known = new Map<string, Promise<string>>();

  constructor(root: string, signal: AbortSignal) {
    this.root = root;
    this.#signal = signal;
  }

  /** Hex sha256 of a shipped file; pyproject.toml is hashed without `[tool.toolkit]`. */
  of(file: string): Promise<string> {
    const known = this.#known.get(file) ?? hashOf(this.root, file, this.#signal);
    this.#known.set(file, known);
    return known;
  }

  /** Makes the next `of` read this file again. */
  forget(file: string): void {
    this.#known.delete(file);
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

/** Leaves out `[tool.toolkit]`: the manifest has these settings, and a change of one endpoint must not roll out the others. */
function hashOfPyproject(text: string): string {
  const document = parse(text.replace(/^\uFEFF/, ''));
  if (typeof document.tool === 'object' && !Array.isArray(document.tool)) {
    const { toolkit: _settings, ...others } = document.tool as Record<string, unknown>;
    return hash('sha256', JSON.stringify({ ...document, tool: others }));
  }
  return hash('sha256', JSON.stringify(document));
}
