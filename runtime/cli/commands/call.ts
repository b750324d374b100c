/** `toolkit call NAME`: sends one request to a deployed endpoint and prints the response. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RemoteEndpoint } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import type { JobExceptionBody, TerminalJobBody } from '../../contract/job.ts';
import { CALL_LIMITS } from '../../contract/limits.ts';
import { callQueue, type SubmittedJob, submitJob } from '../../deploy/callQueue.ts';
import { callRoute } from '../../deploy/callRoute.ts';
import { parseExact } from '../../deploy/exactJson.ts';
import type { PlatformClient } from '../../deploy/platformClient.ts';
import { chooseRoute } from '../chooseRoute.ts';
import { keyInShell } from '../curl.ts';
import { findDeployed } from '../deployed.ts';
import { readStandardInput } from '../readStandardInput.ts';
import { type Handler, type Session, textFlag } from '../session.ts';

export const handle: Handler = async ({ args, flags, session }) => {
  const input = await readInput(textFlag(flags, 'input'), session);
  const timeout = seconds(textFlag(flags, 'timeout'));
  const wanted = textFlag(flags, 'route');
  const detached = flags['async'] === true;
  const { client, endpoint } = await findDeployed(session, args[0]!);
  if (endpoint.kind === 'queue') {
    if (wanted !== null)
      throw new ToolkitError('USAGE', `"${endpoint.name}" is queue-based and has no routes.`, {
        hint: 'Remove --route.',
      });
    if (detached) {
      const job = await submitJob(client, endpoint, input, session.signal);
      session.result({ id: job.id, status: job.status }, formatSubmitted(client, endpoint, job));
      return 0;
    }
    session.report({ type: 'step', message: `Waiting for ${endpoint.name}` });
    const body = await callQueue(client, endpoint, input, timeout, session.signal);
    const exception = decodeException(body);
    const error = exception && `${exception.error_type}: ${exception.error_message}`;
    session.result(body, JSON.stringify(error === null ? body : { ...body, error }, null, 2));
    if (exception?.error_traceback && !session.flags.json) session.note(exception.error_traceback.trimEnd());
    return body.status === 'COMPLETED' ? 0 : 1;
  }
  if (detached)
    throw new ToolkitError('USAGE', `"${endpoint.name}" is load-balanced and does not run jobs.`, {
      hint: 'Remove --async.',
    });
  const route = chooseRoute(endpoint, wanted);
  session.report({ type: 'step', message: `Waiting for ${endpoint.name}` });
  const answer = await callRoute(client, endpoint, route, input, timeout, session.signal);
  session.result(
    answer.body,
    typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body, null, 2),
  );
  if (answer.status >= 400) session.note(`The route returned status ${answer.status}.`);
  return answer.status >= 400 ? 1 : 0;
};

/** Decodes the exception that a job's `error` holds as JSON text; null for any other error. */
function decodeException({ error }: TerminalJobBody): JobExceptionBody | null {
  if (!error?.startsWith('{')) return null;
  try {
    const decoded = JSON.parse(error) as Partial<JobExceptionBody>;
    const { error_type, error_message, error_traceback } = decoded;
    const isException = [error_type, error_message, error_traceback].every(
      (text) => typeof text === 'string',
    );
    return isException ? (decoded as JobExceptionBody) : null;
  } catch {
    // Workers that do not use toolkit_sdk can fail their jobs with any text.
    return null;
  }
}

/** The job's id, and curl commands that get its status and cancel it. */
function formatSubmitted(
  client: PlatformClient,
  endpoint: RemoteEndpoint,
  { id, status }: SubmittedJob,
): string {
  const header = `-H "Authorization: Bearer ${keyInShell(client.embedded)}"`;
  return [
    `${id}  ${status}`,
    '',
    `  curl ${endpoint.url}/status/${id} ${header}`,
    `  curl -X POST ${endpoint.url}/cancel/${id} ${header}`,
  ].join('\n');
}

async function readInput(flag: string | null, session: Session): Promise<Record<string, unknown>> {
  if (flag === null) return {};
  const source = flag === '-' ? 'Standard input' : flag.startsWith('@') ? flag.slice(1) : '--input';
  const text =
    flag === '-'
      ? decode(await readStandardInput(session.signal), source)
      : flag.startsWith('@')
        ? readInputFile(path.resolve(session.cwd, source))
        : flag;
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (error) {
    throw new ToolkitError('USAGE', `${source} is not JSON: ${(error as Error).message}.`, {
      hint: `For example: '{"parameter": "value"}'.`,
    });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new ToolkitError('USAGE', `${source} must be a JSON object with the function's parameters.`, {
    hint: `For example: '{"parameter": "value"}'.`,
  });
}

function readInputFile(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new ToolkitError('USAGE', `${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, {
      hint: 'Write the path of a JSON file after the @.',
    });
  }
  return decode(bytes, file);
}

/** Strict UTF-8: replacing invalid bytes would change the input. A byte order mark is dropped. */
function decode(bytes: Buffer, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ToolkitError('USAGE', `${source} is not UTF-8 text.`, { hint: 'Save it as UTF-8.' });
  }
}

function seconds(flag: string | null): number {
  if (flag === null) return CALL_LIMITS.requestTimeoutSeconds;
  const value = Number(flag);
  const max = CALL_LIMITS.requestTimeoutMaxSeconds;
  if (value > 0 && value <= max) return value;
  throw new ToolkitError('USAGE', `--timeout must be above 0 and at most ${max} seconds, not "${flag}".`, {
    hint: 'For example: --timeout 120.',
  });
}
