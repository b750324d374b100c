/** Reads what a client asks for: the request fields of the protocol, everything else ignored. */
import { ToolkitError } from '../../contract/errors.ts';
import { JOB_LIMITS } from '../../contract/limits.ts';
import type { JsonText } from '../json/jsonText.ts';
import type { JsonBody } from '../json/readJson.ts';
import type { JsonPart, Shape } from '../json/scanner.ts';
import { type AddressPolicy, LONGEST_WEBHOOK, readWebhook } from './webhookTarget.ts';

/** What a client asks for; durations in milliseconds. */
export interface JobRequest {
  /** An object. */
  input: JsonText;
  /** null: the endpoint's own. */
  executionTimeout: number | null;
  ttl: number;
  /** Where the end is told; null: nowhere. */
  webhook: string | null;
  /** Waits behind the others, and never asks for another worker where one is. */
  lowPriority: boolean;
}

/** Of a body of run and runsync. */
export const JOB_SHAPE: Shape = {
  members: new Map([
    ['input', {}],
    ['webhook', {}],
    ['policy', {}],
  ]),
};

/**
 * The body of run and runsync.
 *
 * @param allows - Where webhooks may go.
 * @throws ToolkitError BAD_REQUEST naming the field, FORBIDDEN for a webhook to a private address.
 */
export function readJobRequest(body: JsonBody, allows: AddressPolicy): JobRequest {
  requireUtf8(body);
  return readJob(body, body.root, 'The body', allows);
}

/** @throws ToolkitError BAD_REQUEST: decoded all the same, the bytes would reach the function as other characters. */
export function requireUtf8(body: JsonBody): void {
  if (!body.isUtf8) throw badRequest('The body is not UTF-8.');
}

/**
 * One job, which is the whole body or a part of it.
 *
 * @param what - What messages call it.
 * @throws ToolkitError as `readJobRequest`.
 */
export function readJob(body: JsonBody, job: JsonPart, what: string, allows: AddressPolicy): JobRequest {
  if (job.broken) throw new ToolkitError('BAD_REQUEST', `${what} is not JSON.`);
  if (!body.isObject(job)) throw badRequest(`${what} is not a JSON object.`);
  const { members } = job;
  const input = members?.get('input');
  if (!input || !body.isObject(input)) throw badRequest(`${what} has no "input" object.`);
  const policy = readPolicy(body, members?.get('policy'));
  const { executionTimeoutMin, executionTimeoutMax, ttlMin, ttlMax, ttlDefault } = JOB_LIMITS;
  return {
    input: body.text(input),
    executionTimeout: duration(policy, 'executionTimeout', executionTimeoutMin, executionTimeoutMax),
    ttl: duration(policy, 'ttl', ttlMin, ttlMax) ?? ttlDefault,
    webhook: readWebhook(webhookOf(body, members?.get('webhook')), allows),
    lowPriority: flag(policy, 'lowPriority'),
  };
}

function badRequest(message: string): ToolkitError {
  return new ToolkitError('BAD_REQUEST', message, { hint: 'Send {"input": {"<parameter>": <value>}}.' });
}

function readPolicy(body: JsonBody, part: JsonPart | undefined): Record<string, unknown> {
  if (part && part.end - part.start > JOB_LIMITS.policyBytes) {
    throw new ToolkitError(
      'BAD_REQUEST',
      `The field "policy" is larger than ${JOB_LIMITS.policyBytes / 1_000} kB.`,
    );
  }
  const policy = (part && body.value(part)) ?? {};
  if (isObject(policy)) return policy;
  throw new ToolkitError('BAD_REQUEST', 'The field "policy" is not an object.');
}

/** A text that is too long for a URL is not read: it is none. */
function webhookOf(body: JsonBody, part: JsonPart | undefined): unknown {
  if (!part) return null;
  return part.end - part.start > 6 * LONGEST_WEBHOOK ? '' : body.value(part);
}

function duration(policy: Record<string, unknown>, field: string, min: number, max: number): number | null {
  const value = policy[field];
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && value >= min && value <= max) return Math.round(value);
  throw new ToolkitError(
    'BAD_REQUEST',
    `The field "policy.${field}" is not between ${min} and ${max} milliseconds.`,
  );
}

function flag(policy: Record<string, unknown>, field: string): boolean {
  const value = policy[field];
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  throw new ToolkitError('BAD_REQUEST', `The field "policy.${field}" is not true or false.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
