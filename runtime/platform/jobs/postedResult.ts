/** What a worker posts of a job, or why it cannot be read: posted again it would be the same, so that the job fails. */
import { ToolkitError } from '../../contract/errors.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { JsonText } from '../json/jsonText.ts';
import type { JsonBody } from '../json/readJson.ts';
import type { JsonPart, Shape } from '../json/scanner.ts';
import type { Holder, JobResult } from './jobStore.ts';

export const RESULT_SHAPE: Shape = {
  members: new Map(['output', 'error', 'status', 'counted', 'stopPod'].map((name) => [name, {}])),
};

/** Bytes of the longest state, flag or id that a worker can post. */
export const LONGEST_SETTING = 256;

export interface PostedResult {
  output: JsonText | null;
  /** Why the function failed; null when it did not. */
  error: string | null;
  status: unknown;
  counted: boolean;
  stopPod: boolean;
}

/**
 * @param result - The whole body, or a part of it.
 * @returns Why it cannot be read: BAD_REQUEST for what is not JSON, PAYLOAD_TOO_LARGE.
 */
export function readResult(body: JsonBody, result: JsonPart): PostedResult | ToolkitError {
  if (result.broken) return new ToolkitError('BAD_REQUEST', 'The result is not JSON.');
  const member = (name: string) => result.members?.get(name);
  const setting = (name: string) => {
    const part = member(name);
    return part ? body.setting(part, LONGEST_SETTING) : undefined;
  };
  // What is not an object is the output itself.
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

/** @param cause - By which it was seen. */
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

/** How a job ends with a result. */
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

/** What is not a text stays as it was sent. */
function errorText(sent: JsonText): string | null {
  const json = typeof sent === 'string' ? sent : Buffer.from(sent).toString();
  if (json === 'null') return null;
  return json.startsWith('"') ? String(JSON.parse(json)) || null : json;
}
