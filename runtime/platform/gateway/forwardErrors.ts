/** How a request can fail on its way to a worker, before an answer has begun. */
import { ToolkitError } from '../../contract/errors.ts';

/** Connecting itself failed: nobody listens, too many connections wait there, or the worker closed what waited. */
export function isNotReached(error: Error): boolean {
  return 'syscall' in error && error.syscall === 'connect';
}

/** Its node is away or full: nothing is known of the worker itself. */
export function isNodeUnreachable(error: Error): boolean {
  return 'code' in error && error.code === 'EHOSTUNREACH';
}

/** There is no connection to the worker: nothing of the request was sent, another worker may have it. */
export class WorkerNotReached extends Error {
  override readonly name = 'WorkerNotReached';
  /** Whether that is its node's fault and not its own. */
  readonly isNodesFault: boolean;

  constructor(cause: Error) {
    super('The worker accepts no connections.', { cause });
    this.isNodesFault = isNodeUnreachable(cause);
  }
}

/** The connection to the worker ended before an answer: it may have received the request, so it is not sent to another worker. */
export class WorkerLost extends ToolkitError {
  constructor(cause: Error) {
    super('CALL_FAILED', 'The worker ended before it answered.', {
      hint: '`toolkit logs` shows its last lines.',
      cause,
    });
  }
}

/** The worker did not begin to answer within the endpoint's own execution_timeout. */
export class FunctionTimeout extends ToolkitError {
  constructor(seconds: number) {
    super('FUNCTION_TIMEOUT', `The function did not answer within its execution_timeout of ${seconds} s.`, {
      hint: 'Raise execution_timeout of the endpoint, or do less in one request.',
    });
  }
}

/** The worker did not begin to answer within the platform's own limit. */
export function tooLate(): ToolkitError {
  return new ToolkitError('CALL_TIMEOUT', 'The worker did not answer within 5.5 minutes.');
}

export function answerTooLarge(): ToolkitError {
  return new ToolkitError('CALL_FAILED', "The worker's answer is larger than 30 MB.");
}

/** The worker sent what is not an answer of HTTP. */
export function answerMalformed(cause: Error): ToolkitError {
  return new ToolkitError('CALL_FAILED', `The worker's answer is not valid HTTP. ${cause.message}`, {
    hint: "Check the server that the endpoint's command starts.",
    cause,
  });
}
