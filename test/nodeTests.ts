/**
 * Test files of Node's runner, in lanes that run side by side: each lane takes the next file. The runner itself sorts the
 * files, and its number of processes is fixed.
 */
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from 'node:test';
import { dot, tap } from 'node:test/reporters';

/** The result of a part of the tests. */
export interface Tally {
  passed: number;
  failed: number;
  /** What the part has printed. */
  output: string;
}

interface Options {
  /** How long a file may take, milliseconds. */
  timeout: number;
  /** Fulfilled when VS Code is installed. */
  vscode: Promise<void>;
}

export class NodeTests {
  readonly #root: string;
  readonly #waiting: string[];
  readonly #options: Options;
  readonly #events = new PassThrough({ objectMode: true });
  readonly #protocol: Promise<string>;
  #hasVSCode = false;
  #passed = 0;
  #failed = 0;

  /** @param files - Relative to the root, in the order in which they begin. */
  constructor(root: string, files: readonly string[], options: Options) {
    this.#root = root;
    this.#waiting = [...files];
    this.#options = options;
    void options.vscode.then(() => (this.#hasVSCode = true));
    this.#events.compose(dot).pipe(process.stderr);
    this.#protocol = text(this.#events.compose(tap));
  }

  /** Runs one file after the other until none is waiting. */
  async lane(): Promise<void> {
    for (let file = await this.#next(); file !== undefined; file = await this.#next()) await this.#run(file);
  }

  /** The result of all files, after the last lane has ended. */
  async end(): Promise<Tally> {
    this.#events.end();
    const protocol = await this.#protocol;
    const lines = findings(protocol).map((line) => `${line}\n`);
    const output = lines.join('') + (this.#failed > 0 ? `${failures(protocol)}\n` : '');
    return { passed: this.#passed, failed: this.#failed, output };
  }

  /** The next file. VS Code is installed while the files run that do not need it. */
  async #next(): Promise<string | undefined> {
    const at = this.#waiting.findIndex((file) => this.#hasVSCode || !file.startsWith('test/client/'));
    if (at !== -1) return this.#waiting.splice(at, 1)[0];
    if (this.#waiting.length === 0) return undefined;
    await this.#options.vscode;
    return this.#next();
  }

  /** Whatever did not pass has failed: no test is skipped. */
  async #run(file: string): Promise<void> {
    const { timeout } = this.#options;
    const events = run({ cwd: this.#root, files: [path.resolve(this.#root, file)], timeout });
    let [passed, failed] = [0, 1];
    // The summary of the run, which comes after that of its file.
    events.on('test:summary', ({ file, success, counts }) => {
      if (file !== undefined) return;
      passed = counts.passed;
      failed = success ? counts.tests - passed : Math.max(1, counts.tests - passed);
    });
    for await (const event of events) this.#events.write(event);
    this.#passed += passed;
    this.#failed += failed;
  }
}

/** Extra output of tests, such as the counts of a hundred rounds: the test's title, then its text. */
function findings(tap: string): string[] {
  const found: string[] = [];
  let title = '';
  for (const line of tap.split('\n')) {
    title = /^\s*(?:not )?ok \d+ - (.*)$/.exec(line)?.[1] ?? title;
    const words =
      /^\s*# (?!Subtest: |(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$)(.*)$/.exec(
        line,
      )?.[1];
    if (words !== undefined) found.push(`${title}: ${words}`);
  }
  return found;
}

/** The TAP blocks that begin with `not ok`, unchanged. */
function failures(tap: string): string {
  const lines = tap.split('\n');
  const kept: string[] = [];
  let inside = false;
  for (const line of lines) {
    if (/^\s*not ok /.test(line)) inside = true;
    else if (/^\s*(ok |# Subtest)/.test(line)) inside = false;
    if (inside) kept.push(line);
  }
  return kept.join('\n');
}
