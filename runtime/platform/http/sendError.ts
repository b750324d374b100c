/** Every error that leaves over HTTP: `{ error, code, hint }`; what is no ToolkitError is masked here and logged. */
import { ToolkitError } from '../../contract/errors.ts';
import { RetryLater } from '../auth/authorize.ts';
import type { Log } from '../log.ts';

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The answer for an error; a fault of ours is logged and told without its details. */
export function errorAnswer(error: unknown, log: Log): ErrorAnswer {
  const known = error instanceof ToolkitError ? error : masked(error, log);
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
  if (known instanceof RetryLater) headers['retry-after'] = String(known.retryAfter);
  return { status: known.status, headers, body: JSON.stringify(known.toHttp()) };
}

/** What a fault of ours is told as. */
export function masked(error: unknown, log: Log): ToolkitError {
  log.error({ err: error }, 'unexpected error');
  return new ToolkitError('INTERNAL', 'The platform failed to answer this request.', {
    hint: 'The platform log says more: platform/platform.log in TOOLKIT_HOME.',
  });
}
