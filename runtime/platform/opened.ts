/** Closes everything that was opened, in reverse order, when the platform stops or its start fails. */
export class Opened {
  readonly #closings: (() => unknown)[] = [];

  /** Registers a function that is called once, after all those registered later. */
  closeWith(close: () => unknown): void {
    this.#closings.push(close);
  }

  async close(): Promise<void> {
    for (let close = this.#closings.pop(); close; close = this.#closings.pop()) await close();
  }
}
