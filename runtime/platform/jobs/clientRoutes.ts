/** The client API of queue-based endpoints: `/v2/<endpoint_id>/…`, to the letter of the platform protocol. */
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { ToolkitError } from '../../contract/errors.ts';
import { JOB_LIMITS } from '../../contract/limits.ts';
import { type Authorizer, requireInvoke } from '../auth/authorize.ts';
import type { DeployedEndpoint, Endpoints } from '../endpoints.ts';
import { goneSignal } from '../http/goneSignal.ts';
import { readBody } from '../http/readBody.ts';
import { type EndpointView, endpointHealth } from '../stateManager/remoteEndpoint.ts';
import { jobBody } from './bodies.ts';
import { BodyBudget } from './bodyBudget.ts';
import type { Patience } from './jobReads.ts';
import { type JobRequest, readJobRequest } from './jobRequest.ts';
import type { Job } from './jobStore.ts';
import type { Jobs } from './jobs.ts';
import { stageOf } from './stage.ts';
import type { Submissions } from './submissions.ts';
import type { AddressPolicy } from './webhookTarget.ts';

export interface ClientRoutesContext {
  authorizer: Authorizer;
  endpoints: Endpoints;
  jobs: Jobs;
  submissions: Submissions;
  view: EndpointView;
  /** Where webhooks may go. */
  webhookTargets: AddressPolicy;
  /** True once the platform takes no new work. */
  draining(): boolean;
}

export function mountClientRoutes(router: Router, context: ClientRoutesContext): void {
  const { jobs } = context;
  const bodies = new BodyBudget();

  router.all('/v2/:endpoint/run', async (http) => {
    requireMethod(http, 'POST');
    const endpoint = queueEndpoint(context, http);
    const release = bodies.take(http.req, JOB_LIMITS.runBodyBytes);
    try {
      const request = await acceptedRequest(context, http, JOB_LIMITS.runBodyBytes);
      const { id, isNew } = await context.submissions.run(endpoint.id, request, idempotencyKey(http));
      if (isNew) return send(http, JSON.stringify({ id, status: 'IN_QUEUE' }));
      // A repeated request, known by its Idempotency-Key, is told how the job stands now.
      send(http, jobBody(await existing(context, endpoint, id)));
    } finally {
      release();
    }
  });

  router.all('/v2/:endpoint/runsync', async (http) => {
    requireMethod(http, 'POST');
    const endpoint = queueEndpoint(context, http);
    const release = bodies.take(http.req, JOB_LIMITS.runsyncBodyBytes);
    try {
      const request = await acceptedRequest(context, http, JOB_LIMITS.runsyncBodyBytes);
      const { submissions } = context;
      const key = idempotencyKey(http);
      const { id, job } = await submissions.runAndWait(endpoint.id, request, key, patienceOf(http), release);
      answerAsItIs(context, http, endpoint, id, job);
    } finally {
      release();
    }
  });

  router.all('/v2/:endpoint/status/:job', async (http) => {
    requireMethod(http, 'GET', 'POST');
    const endpoint = queueEndpoint(context, http);
    const job = await existing(context, endpoint, jobParameter(http));
    send(http, jobBody(job, stageOf(job, endpoint, context.view.workers)));
  });

  router.all('/v2/:endpoint/status-sync/:job', async (http) => {
    requireMethod(http, 'GET', 'POST');
    const endpoint = queueEndpoint(context, http);
    const id = jobParameter(http);
    answerAsItIs(context, http, endpoint, id, await jobs.reads.wait(endpoint.id, id, patienceOf(http)));
  });

  router.all('/v2/:endpoint/cancel/:job', async (http) => {
    requireMethod(http, 'POST');
    const endpoint = queueEndpoint(context, http);
    const id = jobParameter(http);
    await jobs.cancel(endpoint.id, id);
    const { state } = await existing(context, endpoint, id);
    send(http, JSON.stringify({ id, status: state }));
  });

  router.all('/v2/:endpoint/retry/:job', async (http) => {
    requireMethod(http, 'POST');
    const endpoint = queueEndpoint(context, http);
    refuseWhileDraining(context);
    const job = await existing(context, endpoint, jobParameter(http));
    await context.submissions.retry(endpoint.id, job);
    send(http, JSON.stringify({ id: job.id, status: 'IN_QUEUE' }));
  });

  router.all('/v2/:endpoint/stream/:job', async (http) => {
    requireMethod(http, 'GET', 'POST');
    const endpoint = queueEndpoint(context, http);
    const id = jobParameter(http);
    const read = await jobs.reads.stream(endpoint.id, id, patienceOf(http));
    if (!read) throw unknownJob(id);
    const stream = read.chunks.map((output) => `{"output":${output}}`).join(',');
    send(http, `{"status":"${read.state}","stream":[${stream}]}`);
  });

  router.all('/v2/:endpoint/purge-queue', async (http) => {
    requireMethod(http, 'POST');
    const endpoint = queueEndpoint(context, http);
    send(http, JSON.stringify({ removed: await jobs.purge(endpoint.id), status: 'completed' }));
  });

  router.all('/v2/:endpoint/health', (http) => {
    requireMethod(http, 'GET', 'HEAD');
    const endpoint = authorizedEndpoint(context, http);
    send(http, JSON.stringify(endpointHealth(context.view, endpoint)));
  });

  router.all('/v2/:endpoint{/*rest}', (http) => {
    queueEndpoint(context, http);
    const route = http.path.replace(/^\/v2\/[^/]*/, '') || '/';
    throw new ToolkitError(
      'BAD_REQUEST',
      `not allowed: ${http.method} ${route} is not a route of a queue-based endpoint.`,
      {
        hint: 'A queue-based endpoint answers on run, runsync, status/<job>, stream/<job>, cancel/<job>, retry/<job>, purge-queue and health.',
      },
    );
  });
}

/** @param limit - Of the body, bytes. */
async function acceptedRequest(
  context: ClientRoutesContext,
  http: Context,
  limit: number,
): Promise<JobRequest> {
  refuseWhileDraining(context);
  return readJobRequest(await readBody(http.req, limit), context.webhookTargets);
}

function idempotencyKey(http: Context): string | null {
  const key = http.get('idempotency-key');
  return key === '' ? null : key;
}

function refuseWhileDraining(context: ClientRoutesContext): void {
  if (context.draining())
    throw new ToolkitError('DRAINING', 'The platform is stopping.', { hint: 'Try again in a moment.' });
}

/** The terminal body, or id and state of a job that has not ended. */
function answerAsItIs(
  context: ClientRoutesContext,
  http: Context,
  endpoint: DeployedEndpoint,
  id: string,
  job: Job | null,
): void {
  if (!job) throw unknownJob(id);
  if (job.finished !== null) return send(http, jobBody(job));
  const stage = stageOf(job, endpoint, context.view.workers);
  send(http, JSON.stringify({ id, status: job.state, ...(stage && { stage }) }));
}

/** `?wait=` in milliseconds, clamped. A client that goes away ends the wait, not the job. */
function patienceOf(http: Context): Patience {
  const { waitMin, waitMax, waitDefault } = JOB_LIMITS;
  const wait = Number(http.query['wait'] ?? waitDefault);
  const clamped = Number.isFinite(wait) ? Math.min(waitMax, Math.max(waitMin, wait)) : waitDefault;
  return { wait: clamped, signal: goneSignal(http) };
}

/** @throws ToolkitError for a wrong key, an unknown endpoint, or one that has no queue. */
function queueEndpoint(context: ClientRoutesContext, http: Context): DeployedEndpoint {
  const endpoint = authorizedEndpoint(context, http);
  if (endpoint.spec.kind === 'queue') return endpoint;
  throw new ToolkitError('BAD_REQUEST', `not allowed: "${endpoint.name}" is a load-balanced endpoint.`, {
    hint: `Call its routes at ${context.view.addresses.of(endpoint)}.`,
  });
}

function authorizedEndpoint(context: ClientRoutesContext, http: Context): DeployedEndpoint {
  const principal = context.authorizer.principal(http.req);
  const id = String(http['params']['endpoint']);
  const endpoint = context.endpoints.get(id);
  if (!endpoint) {
    throw new ToolkitError('ENDPOINT_NOT_FOUND', `There is no endpoint "${id}".`, {
      hint: '`toolkit status` lists the deployed endpoints.',
    });
  }
  requireInvoke(principal, endpoint);
  return endpoint;
}

async function existing(context: ClientRoutesContext, endpoint: DeployedEndpoint, id: string): Promise<Job> {
  const job = await context.jobs.reads.find(endpoint.id, id);
  if (!job) throw unknownJob(id);
  return job;
}

function unknownJob(id: string): ToolkitError {
  return new ToolkitError('NOT_FOUND', `There is no job "${id}" on this endpoint.`, {
    hint: 'Results are kept for 30 minutes (run) or 1 minute (runsync).',
  });
}

function jobParameter(http: Context): string {
  return String(http['params']['job']);
}

function requireMethod(http: Context, ...methods: string[]): void {
  if (methods.includes(http.method)) return;
  throw new ToolkitError(
    'METHOD_NOT_ALLOWED',
    `${http.method} is not allowed here; use ${methods.join(' or ')}.`,
  );
}

function send(http: Context, json: string): void {
  http.type = 'application/json';
  http.body = json;
}
