/**
 * Accepts many results in one request, which only the toolkit's own worker sends. Each result is handled on
 * its own: a bad one does not affect the others.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ToolkitError } from '../../contract/errors.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { AnsweredResult, ResultBatchAnswer } from '../../contract/workerProtocol.ts';
import type { Exchange } from '../http/exchange.ts';
import { type JsonBody, readJson } from '../json/readJson.ts';
import type { JsonPart, Shape } from '../json/scanner.ts';
import type { Worker } from '../workers/worker.ts';
import type { Job, JobResult, Refusal } from './jobStore.ts';
import { endOf, LONGEST_SETTING, RESULT_SHAPE, readResult } from './postedResult.ts';
import { refusalError } from './resultRoutes.ts';
import { authorized, type WorkerRoutesContext } from './workerRequest.ts';

const ITEM_SHAPE: Shape = {
  members: new Map([...RESULT_SHAPE.members!, ['id', {}], ['attempt', {}], ['isStream', {}]]),
};
const SHAPE: Shape = {
  members: new Map([['results', { items: ITEM_SHAPE, most: WORKER_LIMITS.batch + 1, apart: true }]]),
};

/** A result of the batch: the end of its job, null if the result changes nothing, and why it was refused. */
interface Item {
  id: string | null;
  end: JobResult | null;
  stopPod: boolean;
  refused: ToolkitError | null;
}

/** Ends the jobs of a batch in one call to the store. Each result gets its own status. */
export async function finishJobs(context: WorkerRoutesContext, http: Exchange): Promise<void> {
  const { jobs, workers, stops } = context;
  const worker = authorized(context, http);
  const body = await readJson(http.request, WORKER_LIMITS.resultBodyBytes, SHAPE);
  const items = itemsOf(body).map((item) => readItem(worker, body, item));
  workers.worked(worker);
  const ends = items.flatMap(({ end }) => end ?? []);
  for (const { id } of ends) stops.hasStopped(worker.id, id);
  const ended = (await jobs.finish(ends)).values();
  // Respond to waiting clients first: responding to the worker takes as long as everything else that is done
  // for a job.
  await nextTurn();
  const answer: ResultBatchAnswer = {
    results: items.map((item) => answerOf(worker, item, item.end && ended.next().value!)),
  };
  http.sendJson(JSON.stringify(answer));
}

/** @throws ToolkitError BAD_REQUEST if nothing can be read. The worker then posts each result on its own. */
function itemsOf({ root }: JsonBody): JsonPart[] {
  if (root.broken) throw new ToolkitError('BAD_REQUEST', 'The body is not JSON.');
  const items = root.members?.get('results')?.items ?? [];
  if (items.length > 0 && items.length <= WORKER_LIMITS.batch) return items;
  throw new ToolkitError(
    'BAD_REQUEST',
    `The field "results" must be a list of 1 to ${WORKER_LIMITS.batch} results.`,
  );
}

function readItem(worker: Worker, body: JsonBody, item: JsonPart): Item {
  const field = (name: string) => {
    const part = item.members?.get(name);
    return part && part.end > part.start ? body.setting(part, LONGEST_SETTING) : undefined;
  };
  const id = field('id');
  const attempt = field('attempt') ?? null;
  const refuse = (message: string) => ({
    id: typeof id === 'string' ? id : null,
    end: null,
    stopPod: false,
    refused: new ToolkitError('BAD_REQUEST', message),
  });
  if (typeof id !== 'string') return refuse('The result has no "id".');
  if (attempt !== null && !Number.isInteger(attempt)) return refuse('The field "attempt" must be a number.');
  // The attempt may come after the syntax error.
  if (item.broken && attempt === null) return refuse('The result is not JSON.');
  const posted = readResult(body, item);
  const holder = { endpoint: worker.target.id, worker: worker.id, attempt: attempt as number | null };
  if (posted instanceof ToolkitError) {
    const end = endOf(id, holder, { output: null, error: posted.message }, false);
    return { id, end, stopPod: false, refused: posted };
  }
  if (posted.status !== undefined)
    return refuse('A batch can contain only final results. Post progress and released jobs to job-done.');
  return {
    id,
    end: endOf(id, holder, posted, field('isStream') === true),
    stopPod: posted.stopPod,
    refused: null,
  };
}

function answerOf(
  worker: Worker,
  { id, stopPod, refused }: Item,
  ended: Job | Refusal | null,
): AnsweredResult {
  if (typeof ended === 'object' && ended && stopPod) worker.draining = true;
  // A result sent twice, because its first response was lost, is accepted.
  const isStale = typeof ended === 'string' && ended !== 'repeated';
  const error = refused ?? (isStale ? refusalError(ended, id ?? '') : null);
  return error ? { id, status: error.status, error: error.message } : { id, status: 200 };
}
