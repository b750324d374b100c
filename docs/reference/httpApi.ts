/** The platform's table of routes → docs/http-api.md. Fails if a route has no description. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { GRAPHQL_PATH, STATE_MANAGER_SCHEMA } from '../../runtime/contract/stateManager.ts';
import { type Node, SourceText } from '../messages/SourceText.ts';

const FOLDER = 'runtime/platform';
const FILES = ['jobs/clientRoutes.ts', 'jobs/workerRoutes.ts', 'stateManager/uploads.ts', 'server.ts'];
const CLIENTS = '/v2/:endpoint/';

/** Path → what it does. */
const MEANINGS: Record<string, string> = {
  '/v2/:endpoint/run': 'Submits a job and returns its id at once.',
  '/v2/:endpoint/run-batch': 'Submits up to 10,000 jobs, all or none: `{"jobs": [{"input": {…}}, …]}`.',
  '/v2/:endpoint/runsync': 'Submits a job and waits up to `?wait=` milliseconds (90,000) for its end.',
  '/v2/:endpoint/status/:job': 'Returns the state of a job, and its output once it has ended.',
  '/v2/:endpoint/status-sync/:job': 'Like `status`, but waits for the end as `runsync` does.',
  '/v2/:endpoint/stream/:job': 'Returns what a generator has yielded since the last call.',
  '/v2/:endpoint/cancel/:job': 'Cancels a job.',
  '/v2/:endpoint/retry/:job': 'Runs a FAILED or TIMED_OUT job again.',
  '/v2/:endpoint/purge-queue': 'Removes all waiting jobs.',
  '/v2/:endpoint/health': 'Returns the numbers of workers and jobs of the endpoint.',
  '/v2/:endpoint/job-take/:worker': 'Gives the worker a job, if one arrives within a minute.',
  '/v2/:endpoint/job-take-batch/:worker': 'Gives the worker several jobs.',
  '/v2/:endpoint/job-done/:worker/:job': 'Accepts the result of a job.',
  '/v2/:endpoint/job-done-batch/:worker': 'Accepts several results.',
  '/v2/:endpoint/job-stream/:worker/:job': 'Accepts what a job has yielded.',
  '/v2/:endpoint/ping/:worker': 'Renews the leases of the jobs that the worker runs.',
  '/v2/:endpoint/job-stop/:worker': 'Waits for jobs that the worker must stop.',
  '/v2/:endpoint/worker/:worker/parts/:content': "Returns a part of the worker's build.",
  '/uploads/:content':
    'Accepts a part of an artifact. HEAD returns how much of it has arrived. The URL is signed.',
  [GRAPHQL_PATH]: 'Manages apps, environments, deploys and keys; see the schema below.',
  '/': 'Returns the name, version and process of the platform.',
};

interface Route {
  path: string;
  methods: string[];
}

/** The page. */
export function httpApiPage(root: string): string {
  const routes = FILES.flatMap((file) => {
    const name = path.join(root, FOLDER, file);
    return routesOf(new SourceText(file, readFileSync(name, 'utf8')));
  });
  const unknown = Object.keys(MEANINGS).filter((one) => !routes.some(({ path: found }) => found === one));
  if (unknown.length > 0) throw new Error(`The platform has no route ${unknown.join(', ')}.`);
  const isWorkers = ({ path: found }: Route) => /\/(?:job-|ping|worker\/)/.test(found);
  return [
    INTRODUCTION,
    `## Clients\n\n${table(routes.filter((one) => !isWorkers(one)))}`,
    LOAD_BALANCED,
    `## Workers\n\nThese need the token of one worker, which the platform passes to it at its start.\n\n${table(routes.filter(isWorkers))}`,
    `## GraphQL\n\n\`\`\`graphql\n${unindented(STATE_MANAGER_SCHEMA)}\n\`\`\`\n`,
  ].join('\n');
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

function routesOf(source: SourceText): Route[] {
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
    const found = named === 'GRAPHQL_PATH' ? GRAPHQL_PATH : source.textsOf(second, around)[0]!;
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

An error is \`{"error", "code", "hint"}\` with the HTTP status of its code; [messages.md](messages.md) lists all codes. A request
with the header \`Idempotency-Key\` can be sent again: within 24 hours, the same key and body do not start a second job.
`;

const LOAD_BALANCED = `A load-balanced endpoint has its own address, which \`toolkit status\` prints. Below it are its routes, as declared. The body
is a JSON object with the function's parameters.
`;
