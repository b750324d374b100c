/** Runs test files against changed sources, in a view of the machine that is thrown away. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const REPOSITORY = path.join(import.meta.dirname, '../..');
/** All processes of a sandbox end with this one, however it ends. */
const OWN_MACHINE = '--pdeathsig KILL unshare --mount --pid --fork --kill-child --propagation private'.split(
  ' ',
);

/** The exit code of sandbox.sh when the project cannot be built. */
const UNBUILT = 3;

/** A test file, and the seconds after which it counts as failed. */
export interface LimitedTest {
  test: string;
  limit: number;
}

/** How the test files ended. */
export interface Run {
  ended: 'passed' | 'failed' | 'unbuilt';
  seconds: number;
  /** Where their processes have left V8's coverage. Removed by the sandbox's next run. */
  coverage: string;
}

/** One run at a time. Needs root, for mounts. */
export class Sandbox {
  // Outside /tmp, so that a test's /tmp is below no mount of this one.
  readonly #scratch = mkdtempSync('/var/tmp/toolkit-mutants-');

  /**
   * Runs test files with Node, or with pytest, until one fails.
   *
   * @param laid - Repository path → text that replaces the file's. Without a file of dist/, the project is built first.
   */
  async run(
    tests: readonly LimitedTest[],
    laid: Record<string, string>,
    variables: (coverage: string) => Record<string, string> = () => ({}),
  ): Promise<Run> {
    const shared = path.join(this.#scratch, 'shared');
    const coverage = path.join(shared, 'coverage');
    mkdirSync(path.join(this.#scratch, 'view'), { recursive: true });
    rmSync(shared, { recursive: true, force: true });
    mkdirSync(coverage, { recursive: true });
    writeFileSync(path.join(shared, 'tests'), tests.map((one) => `${commandOf(one)}\n`).join(''));
    for (const [file, text] of Object.entries(laid)) {
      const target = path.join(shared, 'laid', file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
    const script = path.join(import.meta.dirname, 'sandbox.sh');
    const env = { ...process.env, ...variables(coverage) };
    const startedAt = performance.now();
    const child = spawn('setpriv', [...OWN_MACHINE, 'bash', script, this.#scratch, REPOSITORY], {
      env,
      stdio: 'ignore',
    });
    const [code] = await once(child, 'exit');
    const ended = code === 0 ? 'passed' : code === UNBUILT ? 'unbuilt' : 'failed';
    return { ended, seconds: (performance.now() - startedAt) / 1000, coverage };
  }

  close(): void {
    rmSync(this.#scratch, { recursive: true, force: true });
  }
}

function commandOf({ test, limit }: LimitedTest): string {
  const limited = `timeout --kill-after=1 ${Math.ceil(limit)}`;
  // Run directly, a test file uses one process, and its exit code is the result.
  return /\.ts\b/.test(test)
    ? `${limited} node --test-reporter=dot ${test}`
    : `${limited} .venv/bin/python -m pytest -x -q -c runtime/python/pyproject.toml ${test}`;
}
