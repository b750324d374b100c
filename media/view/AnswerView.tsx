/** The answer to a request: how it went, what it says, and what is known while it is awaited. */
import { useEffect, useMemo, useState } from 'preact/hooks';
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
    <section class="answer" aria-label="Answer" aria-busy={exchange?.state === 'running'}>
      {exchange ? (
        <Answered key={exchange.startedAt} route={route} endpoint={endpoint} exchange={exchange} />
      ) : (
        <p class="muted">The answer appears here.</p>
      )}
    </section>
  );
}

type Tab = 'result' | 'body' | 'headers';

function Answered({ route, endpoint, exchange }: AnswerViewProps & { exchange: Exchange }) {
  const [tab, setTab] = useState<Tab>('result');
  const job = useMemo(() => (route.kind === 'queue' ? jobIn(exchange) : null), [route.kind, exchange]);
  const tabs: Tab[] = job ? ['result', 'body', 'headers'] : ['result', 'headers'];
  const { state, status, failure, headers } = exchange;
  return (
    <>
      <div class="head" role="status">
        <Outcome exchange={exchange} job={job} endpoint={endpoint} />
        <Facts exchange={exchange} job={job} />
      </div>
      {failure && <p class="failure">{failure}</p>}
      {state === 'stopped' && (
        <p class="muted">
          Stopped waiting. {route.kind === 'queue' ? 'The job may go on.' : 'The function may go on.'}
        </p>
      )}
      {status !== null && (
        <>
          {state !== 'running' && (
            <div class="tabs" role="group" aria-label="Parts of the answer">
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

interface OutcomeProps {
  exchange: Exchange;
  job: Job | null;
  endpoint: PageEndpoint | undefined;
}

/** The state of the request in one badge, and a clock while it is under way. */
function Outcome({ exchange: { state, status, startedAt }, job, endpoint }: OutcomeProps) {
  if (state === 'running') {
    const isStarting = status === null && !endpoint?.hardware;
    const stage = status !== null ? 'Receiving' : isStarting ? 'Starting a worker' : 'Running';
    return (
      <span class="badge waiting">
        {stage} <Clock since={startedAt} />
      </span>
    );
  }
  if (state === 'stopped') return <span class="badge">Stopped</span>;
  if (state === 'failed' || status === null)
    return <span class="badge bad">{status === null ? 'No answer' : 'Broken off'}</span>;
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
