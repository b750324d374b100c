/** Reads the body of run and runsync: the request fields of the protocol, everything else ignored. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { ToolkitError } from '../../contract/errors.ts';
import { JOB_LIMITS } from '../../contract/limits.ts';
import { parseJson } from '../http/readBody.ts';
import { valueText } from './jsonText.ts';
import { type AddressPolicy, readWebhook } from './webhookTarget.ts';

/** What a client asks for; durations in milliseconds. */
export interface JobRequest {
  /** JSON text of an object. */
  input: string;
  /** null: the endpoint's own. */
  executionTimeout: number | null;
  ttl: number;
  /** Where the end is told; null: nowhere. */
  webhook: string | null;
  /** Waits behind the others, and never asks for another worker where one is. */
  lowPriority: boolean;
  /** Hex sha256 of the body: an idempotency key belongs to one body. */
  hash: string;
}

/**
 * @param allows Where webhooks may go.
 * @throws ToolkitError BAD_REQUEST naming the field, FORBIDDEN for a webhook to a private address.
 */
export function readJobRequest(body: Buffer, allows: AddressPolicy): JobRequest {
  // Decoded all the same, its wrong bytes would reach the function as other characters.
  if (!isUtf8(body)) throw new ToolkitError('BAD_REQUEST', 'The body is not UTF-8.', { hint: INPUT_HINT });
  const text = body.toString('utf8');
  const json = parseJson(text);
  if (!isObject(json))
    throw new ToolkitError('BAD_REQUEST', 'The body is not a JSON object.', { hint: INPUT_HINT });
  if (!isObject(json['input'])) {
    throw new ToolkitError('BAD_REQUEST', 'The body has no "input" object.', { hint: INPUT_HINT });
  }
  const policy = json['policy'] ?? {};
  if (!isObject(policy)) throw new ToolkitError('BAD_REQUEST', 'The field "policy" is not an object.');
  const { executionTimeoutMin, executionTimeoutMax, ttlMin, ttlMax, ttlDefault } = JOB_LIMITS;
  return {
    input: valueText(text, 'input') ?? '{}',
    executionTimeout: duration(policy, 'executionTimeout', executionTimeoutMin, executionTimeoutMax),
    ttl: duration(policy, 'ttl', ttlMin, ttlMax) ?? ttlDefault,
    webhook: readWebhook(json['webhook'], allows),
    lowPriority: flag(policy, 'lowPriority'),
    hash: createHash('sha256').update(body).digest('hex'),
  };
}

const INPUT_HINT = 'Send {"input": {"<parameter>": <value>}}.';

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

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
