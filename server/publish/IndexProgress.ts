/** The first reading of projects → work-done progress in the editor, when it takes long enough. */
import type { Connection, WorkDoneProgressReporter } from 'vscode-languageserver';

/** A reading that takes less is not shown, milliseconds. */
const UNSEEN = 300;

/** Time between two reports, milliseconds. */
const REPORT_EVERY = 200;

/** The first reading of a project. */
export interface Reading {
  ready: Promise<void>;
  /** How many files were looked at so far. */
  files(): number;
}

export class IndexProgress {
  readonly #create: () => Promise<WorkDoneProgressReporter>;
  readonly #onRefused: (request: Promise<unknown>) => void;
  readonly #readings = new Set<Reading>();
  #timer: NodeJS.Timeout | null = null;
  #shown: WorkDoneProgressReporter | null = null;

  /** @param onRefused - Takes the request to show progress, which a client may refuse. */
  constructor({ window }: Connection, onRefused: (request: Promise<unknown>) => void) {
    this.#create = () => window.createWorkDoneProgress();
    this.#onRefused = onRefused;
  }

  /** Shows a reading until it is done; several at once share one progress. */
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
    // The readings may be done before the client answers.
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
