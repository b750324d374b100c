/**
 * The Python interpreters of this machine: the one named in the options, and those on PATH. The search
 * repeats until one is found.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const OLDEST_MINOR = 10;
const NEWEST_MINOR = 14;
const PROBE = 'import sys; print(sys.version_info[0], sys.version_info[1], sys.executable, sep="\\n")';
/** A busy machine takes seconds to start an interpreter through the script of a version manager. */
const PROBE_TIMEOUT_MS = 30_000;

const run = promisify(execFile);

export class Interpreters {
  readonly #named: string | null;
  #found: Promise<Map<string, string>> | null = null;

  /** @param named The interpreter to prefer; null: only those on PATH. */
  constructor(named: string | null) {
    this.#named = named;
  }

  /** Minor version such as `3.11` → absolute path of its interpreter. */
  all(): Promise<Map<string, string>> {
    this.#found ??= this.#probe();
    return this.#found;
  }

  async #probe(): Promise<Map<string, string>> {
    const minors = Array.from(
      { length: NEWEST_MINOR - OLDEST_MINOR + 1 },
      (_, index) => OLDEST_MINOR + index,
    );
    const names = ['python3', ...minors.map((minor) => `python3.${minor}`)];
    const candidates = this.#named === null ? names : [this.#named, ...names];
    const answers = await Promise.all(candidates.map(probe));
    const found = new Map<string, string>();
    for (const answer of answers) {
      if (answer && answer.minor >= OLDEST_MINOR && !found.has(answer.version))
        found.set(answer.version, answer.path);
    }
    // An interpreter may be installed while the platform runs.
    if (found.size === 0) this.#found = null;
    return found;
  }
}

async function probe(command: string): Promise<{ version: string; minor: number; path: string } | null> {
  try {
    const { stdout } = await run(command, ['-c', PROBE], { timeout: PROBE_TIMEOUT_MS });
    const [major, minor, executable] = stdout.trim().split('\n');
    if (major !== '3' || !minor || !executable) return null;
    return { version: `3.${minor}`, minor: Number(minor), path: executable };
  } catch {
    // Not on PATH, or a launcher whose version is not installed.
    return null;
  }
}
