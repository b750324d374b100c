/**
 * Decides which messages of a client are handled: notifications between `initialize` and `shutdown`, and `exit` always.
 */
import { Message, type MessageStrategy } from 'vscode-languageserver';

export class Lifecycle implements MessageStrategy {
  #isServing = false;

  handleMessage(message: Message, next: (message: Message) => void): void {
    if (Message.isRequest(message)) {
      if (message.method === 'initialize') this.#isServing = true;
      if (message.method === 'shutdown') this.#isServing = false;
    } else if (Message.isNotification(message) && !this.#isServing && message.method !== 'exit') {
      return;
    }
    next(message);
  }
}
