/** How the server is → the client: whenever it differs from what it was sent last. */
import type { ServerStatus } from '../../runtime/contract/editorMessages.ts';

/** What the status follows from. */
interface ServerCondition {
  isIndexing: boolean;
  /** What cannot be understood or has failed, one sentence each. */
  faults: readonly string[];
  /** Whether the server ends. */
  isFatal: boolean;
}

export class StatusPublisher {
  readonly #send: (status: ServerStatus) => void;
  #sent = '';

  constructor(send: (status: ServerStatus) => void) {
    this.#send = send;
  }

  update({ isIndexing, faults, isFatal }: ServerCondition): void {
    const failing = isFatal ? 'error' : 'warning';
    const status: ServerStatus = {
      health: faults.length > 0 ? failing : 'ok',
      activity: isIndexing ? 'indexing' : 'quiet',
      message: faults.join('\n') || null,
    };
    const text = JSON.stringify(status);
    if (text === this.#sent) return;
    this.#sent = text;
    this.#send(status);
  }
}
