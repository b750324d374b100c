/** The response to a request: its outcome and content, and its progress while it is awaited. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { JobStage } from '../../runtime/contract/job.ts';
import type { PageEndpoint, PageRoute } from '../../runtime/contract/requestPage.ts';
import { type Exchange, type Job, jobIn } from '../request/Exchange.ts';
import { BodyView } from './BodyView.tsx';
import { formatBytes, formatTime } from './formats.ts';
import { JobView } from './JobView.tsx';

interface AnswerViewProps {
  route: PageRoute;
  endpoint: PageEndpoint | undefined;
  exchange: Exchange | undefined;
}

export function AnswerView({ route, endpoint, exchange }: AnswerViewProps) {
  return (
    <section class="answer" aria-label="Response" aria-busy={exchange?.state === 'running'}>
      {exchange ? (
        <Answered key={exchange.startedAt} route={route} endpoint={endpoint} exchange={exchange} />
      ) : (
        <p class="muted">The response appears here.</p>
      )}
    </section>
  );
}

type Tab = 'result' | 'body' | 'headers';

type AnsweredProps = AnswerViewProps & { exchange: Exchange };

function Answered({ route, endpoint, exchange }: AnsweredProps) {
  const [tab, setTab] = useState<Tab>('result');
  const job = useMemo(() => (route.kind === 'queue' ? jobIn(exchange) : null), [route.kind, exchange]);
  const tabs: Tab[] = job ? ['result', 'body', 'headers'] : ['result', 'headers'];
  const { state, status, failure, headers } = exchange;
  return (
    <>
      <div class="head" role="status">
        <Outcome route={route} exchange={exchange} job={job} endpoint={endpoint} />
        <Facts exchange={exchange} job={job} />
      </div>
      {failure && <p class="failure">{failure}</p>}
      {state === 'stopped' && (
        <p class="muted">
          {route.kind === 'queue'
            ? 'Stopped before the dev server returned a job.'
            : 'Stopped waiting. The function may still run.'}
        </p>
      )}
      {status !== null && (
        <>
          {state !== 'running' && (
            <div class="tabs" role="group" aria-label="Parts of the response">
              {tabs.map((one) => (
                <button
                  key={one}
                  type="button"
                  class="quiet"
                  aria-pressed={one === tab}
                  onClick={() => setTab(one)}
                >
                  {TAB_NAMES[one]}
                </button>
              ))}
            </div>
          )}
          {tab === 'result' &&
            (job ? <JobView job={job} exchange={exchange} /> : <BodyView exchange={exchange} />)}
          {tab === 'body' && <BodyView exchange={exchange} />}
          {tab === 'headers' && (
            <dl class="headers">
              {headers.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )}
        </>
      )}
    </>
  );
}

const TAB_NAMES: Record<Tab, string> = { result: 'Result', body: 'Body', headers: 'Headers' };

const STAGE_NAMES: Record<JobStage, string> = {
  queued: 'Queued',
  'starting worker': 'Starting a worker',
  importing: 'Importing',
  running: 'Running',
};

/** What is happening now. The stage of a job is known once it has taken a second. */
function progressOf({ route, endpoint, exchange: { isStopping, status, stage } }: AnsweredProps): string {
  if (isStopping) return 'Stopping';
  if (status !== null) return 'Receiving';
  if (stage !== null) return STAGE_NAMES[stage];
  if (!endpoint?.hardware) return STAGE_NAMES['starting worker'];
  return route.kind === 'queue' ? 'Waiting' : 'Running';
}

/** The state of the request in one badge, with a clock while it is running. */
function Outcome({ job, ...answered }: AnsweredProps & { job: Job | null }) {
  const { state, status, startedAt } = answered.exchange;
  if (state === 'running')
    return (
      <span class="badge waiting">
        {progressOf(answered)} <Clock since={startedAt} />
      </span>
    );
  if (state === 'stopped') return <span class="badge">Stopped</span>;
  if (state === 'failed' || status === null)
    return <span class="badge bad">{status === null ? 'No response' : 'Interrupted'}</span>;
  const isGood = status < 400 && (job === null || !['FAILED', 'TIMED_OUT', 'CANCELLED'].includes(job.status));
  return (
    <>
      {job && <span class={`badge ${isGood ? 'good' : 'bad'}`}>{job.status}</span>}
      <span class={`badge ${status < 400 ? (job ? '' : 'good') : 'bad'}`}>{status}</span>
    </>
  );
}

function Facts({ exchange, job }: { exchange: Exchange; job: Job | null }) {
  const { milliseconds, hardware, size, state } = exchange;
  const worker = exchange.worker ?? job?.workerId ?? null;
  const facts = [
    ...(milliseconds === null ? [] : [formatTime(milliseconds)]),
    ...(job?.executionTime === undefined ? [] : [`ran ${formatTime(job.executionTime)}`]),
    ...(job?.delayTime === undefined ? [] : [`waited ${formatTime(job.delayTime)}`]),
    ...(hardware === null ? [] : [hardware]),
    ...(worker === null ? [] : [`worker ${worker}`]),
    ...(size === 0 || (state !== 'answered' && state !== 'running') ? [] : [formatBytes(size)]),
  ];
  return (
    <span class="facts">
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </span>
  );
}

function Clock({ since }: { since: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100);
    return () => clearInterval(timer);
  }, []);
  return <span class="clock">{`${((now - since) / 1_000).toFixed(1)} s`}</span>;
}
