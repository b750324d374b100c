/** Schemas of the platform's own request and response bodies, used as components of every document. */
import { ERROR_CODES } from '../../contract/errors.ts';
import { JOB_STATES, TERMINAL_STATES } from '../../contract/job.ts';

const id = { type: 'string', description: 'Id of the job.' };
const milliseconds = { type: 'integer', minimum: 0, description: 'In milliseconds.' };

export const SHARED_SCHEMAS = {
  Error: {
    type: 'object',
    description: 'Why a request failed, and how to fix it.',
    properties: {
      error: { type: 'string' },
      code: { type: 'string', enum: Object.keys(ERROR_CODES) },
      hint: { type: ['string', 'null'] },
      request_id: { type: 'string' },
      traceback: { type: 'string', description: 'Traceback of an exception that the function raised.' },
      id: { type: 'string', description: 'Id of a job that continues after the caller timed out.' },
    },
    required: ['error'],
  },
  Job: {
    type: 'object',
    description: 'A job that may not have ended yet.',
    properties: {
      id,
      status: { type: 'string', enum: JOB_STATES },
      stage: { type: 'string', enum: ['queued', 'starting worker', 'importing', 'running'] },
    },
    required: ['id', 'status'],
  },
  FinishedJob: {
    type: 'object',
    description: 'A job that has ended. It has an `output` if it completed, otherwise an `error`.',
    properties: {
      id,
      status: { type: 'string', enum: TERMINAL_STATES },
      delayTime: milliseconds,
      executionTime: milliseconds,
      workerId: { type: ['string', 'null'] },
      output: { description: 'What the function returned; for a generator, the list of what it yielded.' },
      error: {
        type: 'string',
        description:
          'For an exception, JSON text with `error_type`, `error_message`, `error_traceback` and other fields.',
      },
      retries: { type: 'integer', minimum: 1 },
    },
    required: ['id', 'status'],
  },
  JobStream: {
    type: 'object',
    description: 'What a generator has yielded since the last request.',
    properties: {
      status: { type: 'string', enum: JOB_STATES },
      stream: {
        type: 'array',
        items: { type: 'object', properties: { output: {} }, required: ['output'] },
      },
    },
    required: ['status', 'stream'],
  },
  JobPolicy: {
    type: 'object',
    properties: {
      executionTimeout: { ...milliseconds, minimum: 5_000 },
      ttl: { ...milliseconds, minimum: 10_000 },
      lowPriority: { type: 'boolean' },
    },
  },
  Health: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['ok'] },
      version: { type: 'string' },
      app: { type: 'string' },
      environment: { type: 'string' },
      endpoints: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            state: { type: 'string' },
            stale: { type: 'object' },
            paths: { type: 'array', items: { type: 'string' } },
          },
          required: ['name', 'state', 'paths'],
        },
      },
    },
    required: ['status', 'version', 'app', 'environment', 'endpoints'],
  },
} as const;

/** A reference to one of these schemas. */
export function shared(name: keyof typeof SHARED_SCHEMAS): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}
