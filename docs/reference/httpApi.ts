/** The platform's table of routes → docs/http-api.md. Fails if a route has no description. */
import path from 'node:path';
import { JOB_STATES, type JobState } from '../../runtime/contract/job.ts';
import { DEFAULTS, JOB_LIMITS, WORKER_LIMITS } from '../../runtime/contract/limits.ts';
import { GRAPHQL_PATH, STATE_MANAGER_SCHEMA } from '../../runtime/contract/stateManager.ts';
import type { Node } from '../messages/Node.ts';
import { SourceFile } from '../messages/SourceFile.ts';
import { SourceText } from '../messages/SourceText.ts';

const FOLDER = 'runtime/platform';
const FILES = ['jobs/clientRoutes.ts', 'jobs/workerRoutes.ts', 'stateManager/uploads.ts', 'server.ts'];
const CLIENTS = '/v2/:endpoint/';
const { waitDefault, waitMax } = JOB_LIMITS;

/** Path → what it does. */
const MEANINGS: Record<string, string> = {
  '/v2/:endpoint/run': 'Submits a job and returns its id at once.',
  '/v2/:endpoint/run-batch': 'Submits up to 10,000 jobs, all or none: `{"jobs": [{"input": {…}}, …]}`.',
  '/v2/:endpoint/runsync': `Submits a job and waits for its end, up to \`?wait=\` milliseconds (default ${number(waitDefault)}, at most ${number(waitMax)}). If the job has not ended by then, returns its id and status.`,
  '/v2/:endpoint/status/:job':
    'Returns the status of a job and its output: the latest `progress` value while it runs, the result once it has ended.',
  '/v2/:endpoint/status-sync/:job': 'Like `status`, but waits for the end of the job as `runsync` does.',
  '/v2/:endpoint/stream/:job':
    'Returns `{"status", "stream": [{"output": …}]}` with the values that a generator has yielded since the last call. If there are none, waits for the next value or the end of the job, as long as `runsync` does.',
  '/v2/:endpoint/cancel/:job':
    'Cancels a job. Returns `{"id", "status"}`: a job that had ended keeps its status.',
  '/v2/:endpoint/retry/:job':
    'Runs a FAILED or TIMED_OUT job again, with the same id and input. Returns `{"id", "status"}`.',
  '/v2/:endpoint/purge-queue':
    'Removes all waiting jobs. Returns `{"removed", "status": "completed"}` with the number of removed jobs.',
  '/v2/:endpoint/health':
    'Returns `{"jobs", "workers"}`: how many jobs and workers the endpoint has, by state.',
  '/v2/:endpoint/job-take/:worker': `Returns a job as \`{"id", "input", "attempt"}\`, with \`policy\` if the job has a time limit of its own; 204 if none arrives within ${WORKER_LIMITS.takeWait / 1000} seconds.`,
  '/v2/:endpoint/job-take-batch/:worker': `The same as a list of up to \`?batch_size=\` jobs (default 1, at most ${number(WORKER_LIMITS.batch)}).`,
  '/v2/:endpoint/job-done/:worker/:job':
    'Accepts the result of a job: `{"output": …}`, or `{"error": "reason"}` if it failed. With `"status": "IN_PROGRESS"`, `output` is progress, and the job goes on. With `?isStream=true`, the output is the list of the values that were posted to `job-stream`.',
  '/v2/:endpoint/job-done-batch/:worker':
    'Accepts several results: `{"results": [{"id", "output"}, …]}`. Returns a status for each.',
  '/v2/:endpoint/job-stream/:worker/:job': 'Accepts one value that a job has yielded: `{"output": …}`.',
  '/v2/:endpoint/ping/:worker': 'Renews the leases of the jobs in `?job_id=`, separated by commas.',
  '/v2/:endpoint/job-stop/:worker': `Waits until the worker must stop jobs, and returns \`{"jobsToStop": [ids]}\`; 204 if there are none within ${WORKER_LIMITS.takeWait / 1000} seconds.`,
  '/v2/:endpoint/worker/:worker/parts/:content':
    'Returns a part of the artifact that the worker runs; `<content>` is as in `/uploads`.',
  '/uploads/:content':
    'Accepts a part of an artifact, at the signed URL that the mutation `prepareUpload` returns for its `content`. HEAD returns in the header `upload-offset` how many bytes have arrived.',
  [GRAPHQL_PATH]: 'Manages apps, environments, deploys and keys; see the schema below.',
  '/': 'Returns the name, the API version, the version and the instance id of the platform.',
};

interface Route {
  path: string;
  methods: string[];
}

/** The page. */
export function httpApiPage(root: string): string {
  const routes = FILES.flatMap((file) => routesOf(SourceFile.read(root, path.posix.join(FOLDER, file))));
  const unknown = Object.keys(MEANINGS).filter((one) => !routes.some(({ path: found }) => found === one));
  if (unknown.length > 0) throw new Error(`The platform has no route ${unknown.join(', ')}.`);
  const isWorkers = ({ path: found }: Route) => /\/(?:job-|ping|worker\/)/.test(found);
  return [
    INTRODUCTION,
    `## Clients\n\n${table(routes.filter((one) => !isWorkers(one)))}`,
    LOAD_BALANCED,
    jobs(),
    `## Workers\n\nThese routes need the header \`Authorization: TOKEN\` with the token of the worker. If an endpoint has a \`command\`, the\nplatform passes the token in \`RUNPOD_AI_API_KEY\`, and the URLs in
[other variables](environment-variables.md#variables-set-for-workers).\nThe lease of a job ends ${WORKER_LIMITS.lease / 1000} seconds after the last ping that names the job; then the job runs again.\n\n${table(routes.filter(isWorkers))}`,
    `## GraphQL\n\n\`\`\`graphql\n${unindented(STATE_MANAGER_SCHEMA)}\n\`\`\`\n`,
  ].join('\n');
}

/** A job's states in the order of its life. */
const STATES: Record<JobState, string> = {
  IN_QUEUE: 'The job waits for a worker.',
  IN_PROGRESS: 'A worker is running the job.',
  COMPLETED: 'The function returned.',
  FAILED:
    'The function raised an exception, exceeded its time limit or returned something that is not JSON, or its worker was lost more than three times.',
  CANCELLED: 'The job was cancelled.',
  TIMED_OUT: 'No worker took the job within `policy.ttl`.',
};

function jobs(): string {
  const { executionTimeoutMin, executionTimeoutMax, ttlMin, ttlMax, ttlDefault } = JOB_LIMITS;
  const range = (least: number, most: number) => `${number(least)} to ${number(most)}`;
  const states = JOB_STATES.map((state) => `| \`${state}\` | ${STATES[state]} |`).join('\n');
  return `## Jobs

This submits a job to the endpoint \`cpu_worker\` of the default template and waits for its result. Set \`ENDPOINT\` to the
endpoint's id: the last part of the URL that \`toolkit status cpu_worker\` prints.

\`\`\`sh
curl -X POST "http://localhost:8890/v2/$ENDPOINT/runsync" \\
  -H "Authorization: Bearer $(toolkit platform key)" -H "Content-Type: application/json" \\
  -d '{"input": {"numbers": [1, 2, 3]}}'
\`\`\`

\`\`\`json
{
  "id": "sync-0199d1c4-7b52-7c1e-9a40-5f2d8e6b1a37-u1",
  "status": "COMPLETED",
  "delayTime": 12,
  "executionTime": 3,
  "workerId": "w5f0c2e91b7a34d",
  "output": { "count": 3, "sum": 6.0, "mean": 2.0 }
}
\`\`\`

\`run\` returns only \`{"id": "…", "status": "IN_QUEUE"}\`. \`run-batch\` returns \`{"jobs": […]}\` with such an object for
each job, in the order of the request.

The body of \`run\` and \`runsync\`, and each job of \`run-batch\`, can have these fields. Others are ignored. A
body can be up to ${megabytes(JOB_LIMITS.runBodyBytes)} for \`run\`, and up to ${megabytes(JOB_LIMITS.runsyncBodyBytes)} for \`runsync\` and \`run-batch\`.

| Field | Meaning |
| --- | --- |
| \`input\` | An object with the arguments of the function. Required. |
| \`webhook\` | A URL. When the job ends, the platform sends a POST with the fields of the ended job (see below), \`input\` and \`webhook\` to it; see [Webhooks](commands.md#webhooks). |
| \`policy.executionTimeout\` | Milliseconds that the job can run: ${range(executionTimeoutMin, executionTimeoutMax)}. Default: the endpoint's \`execution_timeout\` (${DEFAULTS.executionTimeoutSeconds} seconds if not set). |
| \`policy.ttl\` | Milliseconds that the job can wait for a worker: ${range(ttlMin, ttlMax)}. Default: ${number(ttlDefault)} (24 hours). |
| \`policy.lowPriority\` | \`true\`: other jobs run first, and the platform starts no additional worker for this job. Default: \`false\`. |

| Status | Meaning |
| --- | --- |
${states}

A job that has ended has these fields. While it runs, \`status\` returns \`id\`, \`status\`, \`delayTime\`, \`workerId\` and, if there is
one, \`output\`.

| Field | Meaning |
| --- | --- |
| \`id\`, \`status\` | The id and the status. |
| \`delayTime\` | Milliseconds from the submission until a worker took the job. |
| \`executionTime\` | Milliseconds from then until the end. |
| \`workerId\` | The worker that ran it; \`null\` if none did. |
| \`output\` | The result. For a generator: the list of its yields. |
| \`error\` | Why it failed. For an exception, this is JSON text with \`error_type\`, \`error_message\`, \`error_traceback\`, \`hostname\`, \`worker_id\` and \`runtime_version\`. If it exceeds ${megabytes(WORKER_LIMITS.errorBytes)}, the middle of long texts is left out. |
| \`retries\` | How often the job ran again because its worker was lost; absent if never. |

Results are kept for ${minutes(JOB_LIMITS.resultRetentionRun)} after the end of a job (\`run\`, \`run-batch\`) or ${minutes(JOB_LIMITS.resultRetentionRunsync)} (\`runsync\`). After that, \`status\`
returns 404. If the job was submitted with an \`Idempotency-Key\`, it returns the final status with \`"error": "result expired"\`
until the key expires.
`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

function megabytes(bytes: number): string {
  return `${bytes / 1_000_000} MB`;
}

function minutes(milliseconds: number): string {
  const count = milliseconds / 60_000;
  return count === 1 ? '1 minute' : `${count} minutes`;
}

/** One row per path: routes with the same path are merged. */
function table(routes: readonly Route[]): string {
  const rows = [...Map.groupBy(routes, (route) => route.path)].map(([found, all]) => {
    const meaning = MEANINGS[found];
    if (!meaning) throw new Error(`Describe the route ${found} in docs/reference/httpApi.ts.`);
    const methods = [...new Set(all.flatMap((route) => route.methods))].join(', ');
    return `| ${methods} | \`${found.replaceAll(/:(\w+)/g, '<$1>')}\` | ${meaning} |`;
  });
  return `| Methods | Path | What it does |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

function routesOf(source: SourceFile): Route[] {
  const calls = source
    .nodes('CallExpression')
    .map(({ node, around }) => ({ node, around, name: nameOf(node) }));
  const required = calls.filter(({ name }) => name === 'requireMethod');
  return calls.flatMap(({ node, around, name }): Route[] => {
    const [first, second] = node['arguments'] as Node[];
    if (name === 'route') {
      const own = required.filter(({ around: outer }) => outer.includes(node));
      const methods = own.flatMap(({ node: one }) => (one['arguments'] as Node[]).slice(1).map(valueOf));
      return [{ path: CLIENTS + valueOf(first!), methods }];
    }
    if (name !== 'add' || first?.type !== 'ArrayExpression') return [];
    const named = second?.type === 'Identifier' ? (second['name'] as string) : '';
    const found =
      named === 'GRAPHQL_PATH' ? GRAPHQL_PATH : new SourceText(source).textsOf(second, around)[0]!.text;
    return [{ path: found, methods: (first['elements'] as Node[]).map(valueOf) }];
  });
}

function nameOf(call: Node): string {
  const called = call['callee'] as Node;
  return called['property']?.name ?? called['name'] ?? '';
}

function valueOf(literal: Node): string {
  return String(literal['value']);
}

function unindented(text: string): string {
  return text.replaceAll(/^ {2}/gm, '').trim();
}

const INTRODUCTION = `# HTTP API

The platform listens at http://localhost:8890, or at the address that \`toolkit platform status\` prints. Send the header
\`Authorization: Bearer KEY\`, and \`Content-Type: application/json\` if there is a body.

An error is \`{"error", "code", "hint"}\` with the HTTP status of its code; [messages.md](messages.md) lists all codes.

\`run\`, \`run-batch\` and \`runsync\` accept the header \`Idempotency-Key\`, so that a client can safely repeat a request. Within
24 hours, a request with the same key and body submits nothing and returns the current state of the first job or jobs; a request
with the same key and another body returns 409.

\`<endpoint>\` is the id of an endpoint, not its name: the last part of the URL that \`toolkit status\` prints.
\`toolkit platform key\` prints the key of the embedded platform.
`;

const LOAD_BALANCED = `A load-balanced endpoint has its own address, which \`toolkit status\` prints; its routes are below that address. GET and DELETE
routes take their parameters from the path and the query, other routes from the path and a JSON object in the body.
`;
