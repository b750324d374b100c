/**
 * Reads the result that a worker posts for a job. If it cannot be read, the job fails: posting it again would
 * not help.
 */
import { ToolkitError } from '../../contract/errors.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { JsonText } from '../json/jsonText.ts';
import type { JsonBody } from '../json/readJson.ts';
import type { JsonPart, Shape } from '../json/scanner.ts';
import type { Holder, JobResult } from './jobStore.ts';

export const RESULT_SHAPE: Shape = {
  members: new Map(['output', 'error', 'status', 'counted', 'stopPod'].map((name) => [name, {}])),
};

/** Longest state, flag or id that a worker can post, in bytes. */
export const LONGEST_SETTING = 256;

export interface PostedResult {
  output: JsonText | null;
  /** Why the function failed; null if it did not. */
  error: string | null;
  status: unknown;
  counted: boolean;
  stopPod: boolean;
}

/**
 * @param result - The whole body, or a part of it.
 * @returns The result, or why it cannot be read: BAD_REQUEST if it is not JSON, PAYLOAD_TOO_LARGE.
 */
export function readResult(body: JsonBody, result: JsonPart): PostedResult | ToolkitError {
  if (result.broken) return new ToolkitError('BAD_REQUEST', 'The result is not JSON.');
  const member = (name: string) => result.members?.get(name);
  const setting = (name: string) => {
    const part = member(name);
    return part ? body.setting(part, LONGEST_SETTING) : undefined;
  };
  // Anything but an object is the output itself.
  const output = body.isObject(result) ? member('output') : result;
  if (output && sizeOf(output) > WORKER_LIMITS.resultBytes) return resultTooLarge();
  const error = member('error');
  if (error && sizeOf(error) > WORKER_LIMITS.errorBytes) return tooLarge('error', WORKER_LIMITS.errorBytes);
  return {
    output: output ? body.text(output) : null,
    error: error ? errorText(body.text(error)) : null,
    status: setting('status'),
    counted: setting('counted') === true,
    stopPod: setting('stopPod') === true,
  };
}

/** @param cause - The error that showed it. */
export function resultTooLarge(cause?: unknown): ToolkitError {
  return tooLarge('result', WORKER_LIMITS.resultBytes, cause);
}

function tooLarge(what: string, limit: number, cause?: unknown): ToolkitError {
  return new ToolkitError('PAYLOAD_TOO_LARGE', `The ${what} is larger than ${limit / 1_000_000} MB.`, {
    cause,
  });
}

function sizeOf({ start, end }: JsonPart): number {
  return end - start;
}

/** Turns a posted result into the end of its job. */
export function endOf(
  id: string,
  holder: Holder,
  { output, error }: Pick<PostedResult, 'output' | 'error'>,
  isStream: boolean,
): JobResult {
  const state = error === null ? 'COMPLETED' : 'FAILED';
  return {
    id,
    holder,
    state,
    output: error === null ? output : null,
    error,
    fromChunks: isStream && error === null,
  };
}

/** An error that is not a string stays as it was sent. */
function errorText(sent: JsonText): string | null {
  const json = typeof sent === 'string' ? sent : Buffer.from(sent).toString();
  if (json === 'null') return null;
  return json.startsWith('"') ? String(JSON.parse(json)) || null : json;
}
