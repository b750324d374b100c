/**
 * The client API of queue-based endpoints: `/v2/<endpoint_id>/…`, exactly as the platform protocol defines
 * it.
 */
import { ToolkitError } from '../../contract/errors.ts';
import type { BatchBody } from '../../contract/job.ts';
import { JOB_LIMITS } from '../../contract/limits.ts';
import { type Authorizer, requireInvoke } from '../auth/authorize.ts';
import type { DeployedEndpoint, Endpoints } from '../endpoints.ts';
import type { PlatformEvents } from '../events.ts';
import type { Exchange } from '../http/exchange.ts';
import { goneSignal } from '../http/goneSignal.ts';
import { type Handler, MethodNotAllowed, type Routes } from '../http/routes.ts';
import { type JsonBody, readJson } from '../json/readJson.ts';
import type { Shape } from '../json/scanner.ts';
import type { Lifetime } from '../lifetime.ts';
import { type EndpointView, endpointHealth } from '../stateManager/remoteEndpoint.ts';
import { jobBody } from './bodies.ts';
import { BodyBudget } from './bodyBudget.ts';
import { BATCH_SHAPE, readJobBatch } from './jobBatch.ts';
import type { Patience } from './jobReads.ts';
import { JOB_SHAPE, type JobRequest, readJobRequest } from './jobRequest.ts';
import type { Job, Repetition } from './jobStore.ts';
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
  /** Which addresses webhooks can be sent to. */
  webhookTargets: AddressPolicy;
  lifetime: Lifetime;
  events: PlatformEvents;
}

export function addClientRoutes(routes: Routes, context: ClientRoutesContext): void {
  const { jobs } = context;
  const bodies = new BodyBudget();
  const route = (pattern: string, handler: Handler) =>
    routes.add(null, `/v2/:endpoint/${pattern}`, (http) => {
      context.events.emit('used');
      return handler(http);
    });

  route('run', async (http) => {
    requireMethod(http, 'POST');
    const endpoint = queueEndpoint(context, http);
    const release = bodies.take(http.request, endpoint.id, JOB_LIMITS.runBodyBytes);
    try {
      const { request, repetition } = await acceptedRequest(context, http, JOB_LIMITS.runBodyBytes);
      const { id, isNew } = await context.submissions.run(endpoint.id, request, repetition);
      if (isNew) return http.sendJson(JSON.stringify({ id, status: 'IN_QUEUE' }));
      // A repeated request, recognized by its Idempotency-Key, gets the job's current state.
      http.sendJson(...jobBody(await existing(context, endpoint, id)));
    } finally {
      release();
    }
  });

  route('run-batch', async (http) => {
    requireMethod(http, 'POST');
    const endpoint = queueEndpoint(context, http);
    const release = bodies.take(http.request, endpoint.id, JOB_LIMITS.batchBodyBytes);
    try {
      refuseWhileDraining(context);
      const { body, repetition } = await readKeyed(http, JOB_LIMITS.batchBodyBytes, BATCH_SHAPE);
      const requests = await readJobBatch(body, context.webhookTargets);
      // The endpoint may have been removed while the body arrived.
      queueEndpoint(context, http);
      const jobs = await context.submissions.runBatch(endpoint.id, requests, repetition);
      const answer: BatchBody = { jobs };
      http.sendJson(JSON.stringify(answer));
    } finally {
      release();
    }
  });

  route('runsync', async (http) => {
    requireMethod(http, 'POST');
    const endpoint = queueEndpoint(context, http);
    const release = bodies.take(http.request, endpoint.id, JOB_LIMITS.runsyncBodyBytes);
    try {
      const { request, repetition } = await acceptedRequest(context, http, JOB_LIMITS.runsyncBodyBytes);
      const { submissions } = context;
      const { id, job } = await submissions.runAndWait(
        endpoint.id,
        request,
        repetition,
        patienceOf(http),
        release,
      );
      answerAsItIs(context, http, endpoint, id, job);
    } finally {
      release();
    }
  });

  route('status/:job', async (http) => {
    requireMethod(http, 'GET', 'POST');
    const endpoint = queueEndpoint(context, http);
    const job = await existing(context, endpoint, http.parameter('job'));
    http.sendJson(...jobBody(job, stageOf(job, endpoint, context.view.workers)));
  });

  route('status-sync/:job', async (http) => {
    requireMethod(http, 'GET', 'POST');
    const endpoint = queueEndpoint(context, http);
    const id = http.parameter('job');
    answerAsItIs(context, http, endpoint, id, await jobs.reads.wait(endpoint.id, id, patienceOf(http)));
  });

  route('cancel/:job', async (http) => {
    requireMethod(http, 'POST');
    const endpoint = queueEndpoint(context, http);
    const id = http.parameter('job');
    await jobs.cancel(endpoint.id, id);
    const { state } = await existing(context, endpoint, id);
    http.sendJson(JSON.stringify({ id, status: state }));
  });

  route('retry/:job', async (http) => {
    requireMethod(http, 'POST');
    const endpoint = queueEndpoint(context, http);
    refuseWhileDraining(context);
    const job = await existing(context, endpoint, http.parameter('job'));
    await context.submissions.retry(endpoint.id, job);
    http.sendJson(JSON.stringify({ id: job.id, status: 'IN_QUEUE' }));
  });

  route('stream/:job', async (http) => {
    requireMethod(http, 'GET', 'POST');
    const endpoint = queueEndpoint(context, http);
    const id = http.parameter('job');
    const read = await jobs.reads.stream(endpoint.id, id, patienceOf(http));
    if (!read) throw unknownJob(id);
    const stream = read.chunks.flatMap((output, index) => [
      index === 0 ? '{"output":' : ',{"output":',
      output,
      '}',
    ]);
    http.sendJson(`{"status":"${read.state}","stream":[`, ...stream, ']}');
  });

  route('purge-queue', async (http) => {
    requireMethod(http, 'POST');
    const endpoint = queueEndpoint(context, http);
    http.sendJson(JSON.stringify({ removed: await jobs.purge(endpoint.id), status: 'completed' }));
  });

  route('health', (http) => {
    requireMethod(http, 'GET', 'HEAD');
    const endpoint = authorizedEndpoint(context, http);
    http.sendJson(JSON.stringify(endpointHealth(context.view, endpoint)));
  });

  routes.addOthers('/v2/:endpoint', (http) => {
    context.events.emit('used');
    queueEndpoint(context, http);
    const route = http.path.replace(/^\/v2\/[^/]*/, '') || '/';
    throw new ToolkitError(
      'BAD_REQUEST',
      `not allowed: ${http.method} ${route} is not a route of a queue-based endpoint.`,
      {
        hint: 'The routes of a queue-based endpoint are run, run-batch, runsync, status/<job>, status-sync/<job>, stream/<job>, cancel/<job>, retry/<job>, purge-queue and health.',
      },
    );
  });
}

/** @param limit - Largest allowed body, bytes. */
async function acceptedRequest(
  context: ClientRoutesContext,
  http: Exchange,
  limit: number,
): Promise<{ request: JobRequest; repetition: Repetition | null }> {
  refuseWhileDraining(context);
  const { body, repetition } = await readKeyed(http, limit, JOB_SHAPE);
  // The endpoint may have been removed while the body arrived.
  queueEndpoint(context, http);
  return { request: readJobRequest(body, context.webhookTargets), repetition };
}

/** Reads a body, with its hash if the request has an Idempotency-Key. */
async function readKeyed(
  http: Exchange,
  limit: number,
  shape: Shape,
): Promise<{ body: JsonBody; repetition: Repetition | null }> {
  const key = http.header('idempotency-key');
  const body = await readJson(http.request, limit, shape, key !== '');
  return { body, repetition: body.hash === null ? null : { key, hash: body.hash } };
}

function refuseWhileDraining(context: ClientRoutesContext): void {
  if (context.lifetime.isStopping)
    throw new ToolkitError('DRAINING', 'The platform is stopping.', { hint: 'Try again in a moment.' });
}

/** Responds with the terminal body, or with id and state of a job that has not ended. */
function answerAsItIs(
  context: ClientRoutesContext,
  http: Exchange,
  endpoint: DeployedEndpoint,
  id: string,
  job: Job | null,
): void {
  if (!job) throw unknownJob(id);
  if (job.finished !== null) return http.sendJson(...jobBody(job));
  const stage = stageOf(job, endpoint, context.view.workers);
  http.sendJson(JSON.stringify({ id, status: job.state, ...(stage && { stage }) }));
}

/** `?wait=` in milliseconds, clamped. A client that disconnects ends the wait but not the job. */
function patienceOf(http: Exchange): Patience {
  const { waitMin, waitMax, waitDefault } = JOB_LIMITS;
  const wait = Number(http.query('wait') ?? waitDefault);
  const clamped = Number.isFinite(wait) ? Math.min(waitMax, Math.max(waitMin, wait)) : waitDefault;
  return { wait: clamped, signal: goneSignal(http.response) };
}

/** @throws ToolkitError for a wrong key, an unknown endpoint, or an endpoint without a queue. */
function queueEndpoint(context: ClientRoutesContext, http: Exchange): DeployedEndpoint {
  const endpoint = authorizedEndpoint(context, http);
  if (endpoint.spec.kind === 'queue') return endpoint;
  // Clients match the prefix "not allowed", which is part of the protocol.
  throw new ToolkitError(
    'BAD_REQUEST',
    `not allowed: "${endpoint.name}" is load-balanced, so it has no run, runsync or status.`,
    { hint: `Call its routes at ${context.view.addresses.of(endpoint)}.` },
  );
}

function authorizedEndpoint(context: ClientRoutesContext, http: Exchange): DeployedEndpoint {
  const principal = context.authorizer.principal(http.request);
  const id = http.parameter('endpoint');
  const endpoint = context.endpoints.get(id);
  if (!endpoint) {
    throw new ToolkitError('ENDPOINT_NOT_FOUND', `There is no endpoint "${id}".`, {
      hint: 'Run "toolkit status" to list the deployed endpoints.',
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

function requireMethod(http: Exchange, ...methods: string[]): void {
  if (!methods.includes(http.method)) throw new MethodNotAllowed(http.method, methods);
}
