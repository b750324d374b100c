/** Shows the first reading of projects as work-done progress in the editor, if it takes long enough. */
import type { Connection, WorkDoneProgressReporter } from 'vscode-languageserver';

/** In milliseconds. A shorter reading is not shown. */
const UNSEEN = 300;

/** In milliseconds. Time between two reports. */
const REPORT_EVERY = 200;

/** The first reading of a project. */
export interface Reading {
  ready: Promise<void>;
  /** Number of files looked at so far. */
  files(): number;
}

export class IndexProgress {
  readonly #create: () => Promise<WorkDoneProgressReporter>;
  readonly #onRefused: (request: Promise<unknown>) => void;
  readonly #readings = new Set<Reading>();
  #timer: NodeJS.Timeout | null = null;
  #shown: WorkDoneProgressReporter | null = null;

  /** @param onRefused - Handles the request to show progress, which a client can refuse. */
  constructor({ window }: Connection, onRefused: (request: Promise<unknown>) => void) {
    this.#create = () => window.createWorkDoneProgress();
    this.#onRefused = onRefused;
  }

  /** Shows a reading until it is done. Concurrent readings share one progress. */
  follow(reading: Reading): void {
    this.#readings.add(reading);
    this.#timer ??= setTimeout(() => this.#onRefused(this.#begin()), UNSEEN);
    void reading.ready.finally(() => {
      this.#readings.delete(reading);
      if (this.#readings.size === 0) this.end();
    });
  }

  /** Ends the progress. */
  end(): void {
    this.#readings.clear();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#shown?.done();
    this.#shown = null;
  }

  async #begin(): Promise<void> {
    const progress = await this.#create();
    // The readings can be done before the client answers.
    if (this.#timer === null || this.#shown) return;
    this.#shown = progress;
    progress.begin('Finding endpoints', undefined, this.#message());
    clearTimeout(this.#timer);
    this.#timer = setInterval(() => progress.report(this.#message()), REPORT_EVERY);
  }

  #message(): string {
    let files = 0;
    for (const reading of this.#readings) files += reading.files();
    return `${files.toLocaleString('en')} Python files`;
  }
}
