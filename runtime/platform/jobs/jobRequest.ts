/** Reads a client's request. Uses the fields of the protocol and ignores all others. */
import { ToolkitError } from '../../contract/errors.ts';
import { JOB_LIMITS } from '../../contract/limits.ts';
import type { JsonText } from '../json/jsonText.ts';
import type { JsonBody } from '../json/readJson.ts';
import type { JsonPart, Shape } from '../json/scanner.ts';
import { type AddressPolicy, LONGEST_WEBHOOK, readWebhook } from './webhookTarget.ts';

/** A client's request. Durations are in milliseconds. */
export interface JobRequest {
  /** An object. */
  input: JsonText;
  /** Null: the endpoint's own. */
  executionTimeout: number | null;
  ttl: number;
  /** The URL that gets the job's end; null: none. */
  webhook: string | null;
  /** Waits behind other jobs, and never starts another worker if there is one. */
  lowPriority: boolean;
}

/** A longer value in a policy can be neither a number in its range nor a flag. */
const LONGEST_SETTING = 64;

/** The shape of a run or runsync body. */
export const JOB_SHAPE: Shape = {
  members: new Map([
    ['input', {}],
    ['webhook', {}],
    ['policy', { members: new Map(['executionTimeout', 'ttl', 'lowPriority'].map((name) => [name, {}])) }],
  ]),
};

/**
 * Reads the body of run or runsync.
 *
 * @param allows - Which addresses webhooks can be sent to.
 * @throws ToolkitError BAD_REQUEST naming the field, FORBIDDEN for a webhook to a private address.
 */
export function readJobRequest(body: JsonBody, allows: AddressPolicy): JobRequest {
  requireUtf8(body);
  return readJob(body, body.root, 'The body', allows);
}

/**
 * @throws ToolkitError BAD_REQUEST if the body is not UTF-8. Decoded anyway, the function would get other
 * characters.
 */
export function requireUtf8(body: JsonBody): void {
  if (!body.isUtf8) throw badRequest('The body is not UTF-8.');
}

/**
 * Reads one job, which is the whole body or a part of it.
 *
 * @param what - The name of the job in messages.
 * @throws ToolkitError as `readJobRequest`.
 */
export function readJob(body: JsonBody, job: JsonPart, what: string, allows: AddressPolicy): JobRequest {
  if (job.broken) throw new ToolkitError('BAD_REQUEST', `${what} is not JSON.`);
  if (!body.isObject(job)) throw badRequest(`${what} is not a JSON object.`);
  const { members } = job;
  const input = members?.get('input');
  if (!input || !body.isObject(input)) throw badRequest(`${what} has no "input" object.`);
  const policy = readPolicy(body, members?.get('policy'));
  const webhook = members?.get('webhook');
  const { executionTimeoutMin, executionTimeoutMax, ttlMin, ttlMax, ttlDefault } = JOB_LIMITS;
  return {
    input: body.text(input),
    executionTimeout: duration(policy, 'executionTimeout', executionTimeoutMin, executionTimeoutMax),
    ttl: duration(policy, 'ttl', ttlMin, ttlMax) ?? ttlDefault,
    webhook: readWebhook(webhook ? body.setting(webhook, 6 * LONGEST_WEBHOOK) : null, allows),
    lowPriority: flag(policy, 'lowPriority'),
  };
}

function badRequest(message: string): ToolkitError {
  return new ToolkitError('BAD_REQUEST', message, { hint: 'Send {"input": {"<parameter>": <value>}}.' });
}

/** The settings that the protocol defines. Other fields of a policy are not read. */
function readPolicy(body: JsonBody, policy: JsonPart | undefined): Map<string, unknown> {
  if (policy && !body.isObject(policy) && body.setting(policy, LONGEST_SETTING) !== null)
    throw new ToolkitError('BAD_REQUEST', 'The field "policy" must be an object.');
  const settings = [...(policy?.members ?? [])];
  return new Map(settings.map(([name, part]) => [name, body.setting(part, LONGEST_SETTING)]));
}

function duration(policy: Map<string, unknown>, field: string, min: number, max: number): number | null {
  const value = policy.get(field) ?? null;
  if (value === null) return null;
  if (typeof value === 'number' && value >= min && value <= max) return Math.round(value);
  throw new ToolkitError(
    'BAD_REQUEST',
    `The field "policy.${field}" must be between ${min} and ${max} milliseconds.`,
  );
}

function flag(policy: Map<string, unknown>, field: string): boolean {
  const value = policy.get(field) ?? null;
  if (value === null) return false;
  if (typeof value === 'boolean') return value;
  throw new ToolkitError('BAD_REQUEST', `The field "policy.${field}" must be true or false.`);
}
