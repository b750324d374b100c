/** Errors of a request to a worker before its response has begun. */
import type { EndpointSpec } from '../../contract/appSpec.ts';
import { ToolkitError } from '../../contract/errors.ts';

/**
 * The connection attempt failed: nothing listens, too many connections wait, or the worker closed a waiting
 * connection.
 */
export function isNotReached(error: Error): boolean {
  return 'syscall' in error && error.syscall === 'connect';
}

/** The worker's node is away or full. This says nothing about the worker itself. */
export function isNodeUnreachable(error: Error): boolean {
  return 'code' in error && error.code === 'EHOSTUNREACH';
}

/** The connection to the worker failed. Nothing of the request was sent, so another worker can have it. */
export class WorkerNotReached extends Error {
  override readonly name = 'WorkerNotReached';
  /** Whether the cause is the node and not the worker. */
  readonly isNodesFault: boolean;

  constructor(cause: Error) {
    super('The worker accepts no connections.', { cause });
    this.isNodesFault = isNodeUnreachable(cause);
  }
}

/**
 * The connection to the worker ended before a response. The worker may have received the request, so it is not
 * sent to another one.
 */
export class WorkerLost extends ToolkitError {
  constructor(cause: Error, endpoint: string) {
    super('CALL_FAILED', `The worker of "${endpoint}" ended before it responded.`, {
      hint: `Run "toolkit logs ${endpoint}" to see its last lines.`,
      cause,
    });
  }
}

/** The worker did not start to respond within the endpoint's execution_timeout. */
export class FunctionTimeout extends ToolkitError {
  constructor(seconds: number) {
    super('FUNCTION_TIMEOUT', `The function did not respond within its execution_timeout of ${seconds} s.`, {
      hint: 'Raise execution_timeout of the endpoint, or do less in one request.',
    });
  }
}

/** The worker did not start to respond within the platform's own limit. */
export function tooLate(endpoint: string): ToolkitError {
  return new ToolkitError('CALL_TIMEOUT', `The worker of "${endpoint}" did not respond within 330 s.`, {
    hint: 'Set execution_timeout of the endpoint to wait longer, or do less in one request.',
  });
}

export function answerTooLarge(): ToolkitError {
  return new ToolkitError('CALL_FAILED', "The worker's response is larger than 30 MB.");
}

/** The worker's response is not valid HTTP, or too much for the gateway. */
export function answerMalformed(cause: Error, { command }: EndpointSpec): ToolkitError {
  return new ToolkitError('CALL_FAILED', `The worker's response cannot be forwarded. ${cause.message}`, {
    hint: command
      ? "Check the server that the endpoint's command starts."
      : 'Check the headers that the function sets.',
    cause,
  });
}
