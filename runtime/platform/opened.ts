/** What has been opened, and how it is closed: when the platform stops, or when its start fails half way. */
export class Opened {
  readonly #closings: (() => unknown)[] = [];

  /** Called once, after everything that is noted later. */
  closeWith(close: () => unknown): void {
    this.#closings.push(close);
  }

  async close(): Promise<void> {
    for (let close = this.#closings.pop(); close; close = this.#closings.pop()) await close();
  }
}
