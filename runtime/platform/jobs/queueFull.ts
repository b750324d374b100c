import { ToolkitError } from '../../contract/errors.ts';

/** The refusal of a job for which there is no room; the client may send it again. */
export function queueFull(message: string, hint: string): ToolkitError {
  return new ToolkitError('QUEUE_FULL', message, { hint });
}
