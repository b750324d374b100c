/** What every store of jobs must do, whatever its implementation. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { wallClock } from '../../runtime/platform/clock.ts';
import type {
  Claim,
  ClaimedJob,
  Holder,
  JobResult,
  JobStore,
  NewJob,
  QueueCounts,
} from '../../runtime/platform/jobs/jobStore.ts';
import { type JsonText, LONG_TEXT } from '../../runtime/platform/json/jsonText.ts';

/** A store under test, and the last counts it published for each queue. */
export interface StoreUnderTest {
  jobs: JobStore;
  counts(endpoint: string): QueueCounts | undefined;
}

const MINUTE = 60_000;
const LEASE = 30_000;

let made = 0;

/** A job that is submitted. Without an id in the changes it gets the next one. */
export function job(changes: Partial<NewJob> = {}): NewJob {
  made += 1;
  return {
    id: `job-${made}`,
    endpoint: 'one',
    input: '{"x": 1.0}',
    executionTimeout: null,
    ttl: MINUTE,
    lowPriority: false,
    webhook: null,
    retention: MINUTE,
    idempotency: null,
    ...changes,
  };
}

function claim(changes: Partial<Claim> = {}): Claim {
  return { endpoint: 'one', worker: 'w1', count: 1, lease: LEASE, executionTimeout: MINUTE, ...changes };
}

function holder(claimed: ClaimedJob, changes: Partial<Holder> = {}): Holder {
  return { endpoint: 'one', worker: 'w1', attempt: claimed.attempt, ...changes };
}

function result(id: string, by: Holder, changes: Partial<JobResult> = {}): JobResult {
  return { id, holder: by, state: 'COMPLETED', output: '1', error: null, fromChunks: false, ...changes };
}

const held = { endpoint: 'one', worker: 'w1', id: null, attempt: null, counted: true, error: null };

/** Each case gets an empty store. */
export const CONFORMANCE: Record<string, (store: StoreUnderTest, t: TestContext) => Promise<void>> = {
  'accepts jobs, and gives each to one worker with its input unchanged': async ({ jobs, counts }) => {
    const many = Array.from({ length: 20 }, () => job());
    assert.deepEqual(
      await jobs.submit(many),
      many.map(() => ({ as: 'new' })),
    );
    assert.equal(counts('one')?.waiting, 20);
    const taken = await Promise.all(
      Array.from({ length: 25 }, (_, index) => jobs.claim(claim({ worker: `w${index}` }))),
    );
    const ids = taken.flat().map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), many.map(({ id }) => id).toSorted());
    assert.equal(taken.flat()[0]!.input, '{"x": 1.0}');
    assert.equal(taken.flat()[0]!.attempt, 1);
  },

  'keeps the bytes of long texts, whether they arrive as bytes or as strings': async ({ jobs }) => {
    const long = `{"x":"${'ä'.repeat(LONG_TEXT)}"}`;
    const bytes = () => new Uint8Array(Buffer.from(long));
    const text = (json: JsonText | null) =>
      json instanceof Uint8Array ? Buffer.from(json).toString() : 'no bytes';
    await jobs.submit([job({ input: bytes() }), job({ input: long })]);
    const taken = await jobs.claim(claim({ count: 2 }));
    for (const { input } of taken) assert.ok(text(input) === long);
    const [first, second] = taken as [ClaimedJob, ClaimedJob];
    await jobs.progress(first.id, holder(first), bytes(), LEASE);
    assert.ok(text((await jobs.find('one', first.id))!.output) === long);
    await jobs.chunk(first.id, holder(first), bytes(), LEASE);
    assert.ok(text((await jobs.drainChunks(first.id))[0]!) === long);
    const ended = await jobs.finish([
      result(first.id, holder(first), { output: bytes() }),
      result(second.id, holder(second), { output: long }),
    ]);
    for (const one of ended) assert.ok(typeof one === 'object' && text(one.output) === long);
    assert.ok(text((await jobs.find('one', second.id))!.output) === long);
  },

  'keeps inputs of every length, also for a retry': async ({ jobs }) => {
    const inputs = [2, 999, 1_000, 1_001, 5_000].map((bytes) => `{"x":"${'ä'.repeat(bytes / 2)}"}`);
    const one = { ...claim(), count: 10 };
    await jobs.submit(inputs.map((input) => job({ input })));
    const taken = await jobs.claim(one);
    await jobs.finish(taken.map((each) => result(each.id, holder(each), { state: 'FAILED', error: 'no' })));
    for (const { id } of taken) assert.equal(await jobs.retry('one', id), true);
    const again = await jobs.claim(one);
    for (const claimed of [taken, again])
      assert.deepEqual(
        claimed.map(({ input }) => input),
        inputs,
      );
  },

  'gives out the oldest first, jobs of low priority last, and returned jobs before all others': async ({
    jobs,
  }) => {
    const [first, second, low] = [job(), job(), job({ lowPriority: true })];
    await jobs.submit([low, first, second]);
    const [taken] = await jobs.claim(claim());
    assert.equal(taken!.id, first.id);
    await jobs.requeue({ ...held, counted: false });
    const rest = await jobs.claim(claim({ count: 10 }));
    assert.deepEqual(
      rest.map(({ id, attempt }) => [id, attempt]),
      [
        [first.id, 2],
        [second.id, 1],
        [low.id, 1],
      ],
    );
  },

  'recognizes a repeated request by its key, also when both arrive at once, and refuses another body':
    async ({ jobs, counts }) => {
      const same = { key: 'k', hash: 'h' };
      const [one, other] = [job({ idempotency: same }), job({ idempotency: same })];
      const answers = await Promise.all([jobs.submit([one]), jobs.submit([other])]);
      assert.deepEqual(answers.flat(), [{ as: 'new' }, { as: 'known', id: one.id, state: 'IN_QUEUE' }]);
      const differs = await jobs.submit([job({ idempotency: { key: 'k', hash: 'other' } })]);
      assert.deepEqual(differs, [{ as: 'conflict' }]);
      assert.deepEqual(await jobs.submit([job({ endpoint: 'two', idempotency: same })]), [{ as: 'new' }]);
      assert.equal(counts('one')?.waiting, 1);
    },

  'accepts all jobs of a call, or none when the key of one belongs to another request': async ({
    jobs,
    counts,
  }) => {
    const keyed = (key: string, hash: string) => job({ idempotency: { key, hash } });
    const [first, second] = [keyed('0', 'h'), keyed('1', 'h')];
    assert.deepEqual(await jobs.submit([first, second]), [{ as: 'new' }, { as: 'new' }]);
    assert.deepEqual(await jobs.submit([keyed('0', 'h'), keyed('1', 'h')]), [
      { as: 'known', id: first.id, state: 'IN_QUEUE' },
      { as: 'known', id: second.id, state: 'IN_QUEUE' },
    ]);
    const other = await jobs.submit([keyed('2', 'other'), keyed('1', 'other')]);
    assert.deepEqual(other, [{ as: 'conflict' }, { as: 'conflict' }]);
    assert.equal(counts('one')?.waiting, 2);
  },

  'accepts a job that a worker already holds, which never waits': async ({ jobs, counts }) => {
    const started = job({ webhook: 'http://example.com' });
    const entering = jobs.enter(started, { worker: 'w1', lease: LEASE, executionTimeout: MINUTE });
    assert.deepEqual(await jobs.claim(claim({ worker: 'w2' })), []);
    await entering;
    const { state, worker, attempt, webhook } = (await jobs.find('one', started.id))!;
    assert.deepEqual([state, worker, attempt, webhook], ['IN_PROGRESS', 'w1', 1, started.webhook]);
    assert.deepEqual([counts('one')!.waiting, counts('one')!.held], [0, { w1: 1 }]);
    const { requeued } = await jobs.requeue(held);
    assert.deepEqual(
      requeued.map(({ id }) => id),
      [started.id],
    );
    const [again] = await jobs.claim(claim({ worker: 'w2' }));
    assert.deepEqual([again!.id, again!.attempt, again!.input], [started.id, 2, started.input]);
  },

  'accepts a waiting job whose client is notified only of its end': async ({ jobs, counts }) => {
    const waiting = job();
    const entering = jobs.enter(waiting, null);
    const [taken] = await jobs.claim(claim());
    assert.deepEqual([taken!.id, taken!.attempt, counts('one')!.held], [waiting.id, 1, { w1: 1 }]);
    await entering;
    assert.equal((await jobs.find('one', waiting.id))?.state, 'IN_PROGRESS');
  },

  'ends a job whose entry is not on disk yet': async ({ jobs }) => {
    const started = job();
    const by = { endpoint: 'one', worker: 'w1', attempt: 1 };
    const order: string[] = [];
    const entering = jobs
      .enter(started, { worker: 'w1', lease: LEASE, executionTimeout: MINUTE })
      .then(() => order.push('entered'));
    const [ended] = await jobs.finish([result(started.id, by)]);
    order.push('ended');
    await entering;
    assert.equal(typeof ended === 'object' && ended.state, 'COMPLETED');
    assert.deepEqual(order, ['entered', 'ended']);
  },

  'accepts calls only from the holder of a job': async ({ jobs }) => {
    await jobs.submit([job()]);
    const [taken] = await jobs.claim(claim());
    const id = taken!.id;
    const other = holder(taken!, { worker: 'w2' });
    const former = holder(taken!, { attempt: 0 });
    for (const nobody of [other, former]) {
      assert.equal(await jobs.progress(id, nobody, '1', LEASE), 'stale');
      assert.equal(await jobs.chunk(id, nobody, '1', LEASE), 'stale');
      assert.deepEqual(await jobs.finish([result(id, nobody)]), ['stale']);
    }
    assert.deepEqual(await jobs.finish([result('none', holder(taken!))]), ['unknown']);
    assert.deepEqual(await jobs.finish([result(id, holder(taken!, { endpoint: 'two' }))]), ['unknown']);
    assert.deepEqual(await jobs.drainChunks(id), []);
    // A worker that does not send attempts.
    const [ended] = await jobs.finish([result(id, holder(taken!, { attempt: null }))]);
    assert.equal(typeof ended === 'object' && ended.state, 'COMPLETED');
    assert.deepEqual(await jobs.finish([result(id, holder(taken!))]), ['repeated']);
    assert.deepEqual(await jobs.finish([result(id, other)]), ['stale']);
  },

  'finishes many jobs at once, each on its own': async ({ jobs, counts }) => {
    await jobs.submit([job(), job(), job()]);
    const taken = await jobs.claim(claim({ count: 3 }));
    const [good, bad, foreign] = taken;
    const ended = await jobs.finish([
      result(good!.id, holder(good!)),
      result(bad!.id, holder(bad!), { state: 'FAILED', output: null, error: 'no' }),
      result(foreign!.id, holder(foreign!, { worker: 'w2' })),
    ]);
    assert.deepEqual(
      ended.map((one) => (typeof one === 'string' ? one : one.state)),
      ['COMPLETED', 'FAILED', 'stale'],
    );
    const { held, completed, failed } = counts('one')!;
    assert.deepEqual({ held, completed, failed }, { held: { w1: 1 }, completed: 1, failed: 1 });
  },

  'shows progress as the output of a running job, and discards it with the attempt': async ({ jobs }) => {
    await jobs.submit([job()]);
    const [taken] = await jobs.claim(claim());
    assert.equal(await jobs.progress(taken!.id, holder(taken!), '{"done": 1}', LEASE), 'held');
    assert.equal((await jobs.find('one', taken!.id))?.output, '{"done": 1}');
    await jobs.requeue(held);
    assert.equal((await jobs.find('one', taken!.id))?.output, null);
  },

  'keeps what a generator yields, returns it once, and joins it to the result': async ({ jobs }) => {
    await jobs.submit([job()]);
    const [taken] = await jobs.claim(claim());
    const id = taken!.id;
    for (const output of ['1', '2']) await jobs.chunk(id, holder(taken!), output, LEASE);
    assert.deepEqual(await jobs.drainChunks(id), ['1', '2']);
    await jobs.chunk(id, holder(taken!), '3', LEASE);
    const [ended] = await jobs.finish([result(id, holder(taken!), { output: null, fromChunks: true })]);
    assert.equal(typeof ended === 'object' && ended.output, '[1,2,3]');
    assert.deepEqual(await jobs.drainChunks(id), ['3']);
    assert.deepEqual(await jobs.drainChunks(id), []);
  },

  'fails a job that was lost too often with the error of its worker': async ({ jobs }) => {
    const killed = job();
    await jobs.submit([killed]);
    const failure = { error_type: 'WorkerLost', error_message: 'worker lost: SIGKILL (9)' };
    for (let losses = 0; losses < 3; losses += 1) {
      await jobs.claim(claim());
      await jobs.requeue(held);
    }
    await jobs.claim(claim());
    const last = await jobs.requeue({ ...held, error: JSON.stringify(failure) });
    assert.deepEqual(JSON.parse(last.ended[0]!.error!), {
      ...failure,
      error_message: 'worker lost: SIGKILL (9), 3 retries',
    });
  },

  'requeues a lost job, counting a retry if asked to, and fails it after three': async ({ jobs, counts }) => {
    const lost = job();
    await jobs.submit([lost]);
    for (let retries = 1; retries <= 3; retries += 1) {
      await jobs.claim(claim());
      const changed = await jobs.requeue(held);
      assert.deepEqual(changed.requeued, [{ id: lost.id, endpoint: 'one', retries }]);
    }
    await jobs.claim(claim());
    assert.deepEqual((await jobs.requeue({ ...held, counted: false })).requeued[0]?.retries, 3);
    await jobs.claim(claim());
    const { ended } = await jobs.requeue(held);
    assert.deepEqual(
      ended.map(({ id, state, error }) => [id, state, error]),
      [[lost.id, 'FAILED', 'worker lost']],
    );
    assert.deepEqual([counts('one')?.retried, counts('one')?.failed, counts('one')?.waiting], [3, 1, 0]);
  },

  'keeps a job ended when its worker is lost at the same moment': async ({ jobs, counts }) => {
    await jobs.submit([job(), job()]);
    const [one, other] = (await jobs.claim(claim({ count: 2 }))) as [ClaimedJob, ClaimedJob];
    const [ended, lost, late] = await Promise.all([
      jobs.finish([result(one.id, holder(one))]),
      jobs.requeue(held),
      jobs.finish([result(other.id, holder(other))]),
    ]);
    assert.equal(typeof ended[0] === 'object' && ended[0].state, 'COMPLETED');
    assert.deepEqual(
      lost.requeued.map(({ id }) => id),
      [other.id],
    );
    assert.deepEqual(late, ['stale']);
    assert.equal((await jobs.find('one', one.id))?.state, 'COMPLETED');
    assert.deepEqual([counts('one')?.waiting, counts('one')?.completed], [1, 1]);
    const again = await jobs.claim(claim({ worker: 'w2', count: 2 }));
    assert.deepEqual(
      again.map(({ id }) => id),
      [other.id],
    );
  },

  'loses a single job of a worker, and only under its attempt': async ({ jobs }) => {
    await jobs.submit([job(), job()]);
    const [one, other] = await jobs.claim(claim({ count: 2 }));
    const none = await jobs.requeue({ ...held, id: one!.id, attempt: 7 });
    assert.deepEqual(none.requeued, []);
    await jobs.requeue({ ...held, id: one!.id, attempt: one!.attempt });
    assert.equal((await jobs.find('one', one!.id))?.state, 'IN_QUEUE');
    assert.equal((await jobs.find('one', other!.id))?.state, 'IN_PROGRESS');
  },

  'requeues a job when its lease ends, unless the lease was renewed': async ({ jobs }) => {
    await jobs.submit([job(), job()]);
    const [kept, silent] = await jobs.claim(claim({ count: 2, lease: 50 }));
    await jobs.renew('one', 'w1', [kept!.id], LEASE);
    await jobs.renew('one', 'w2', [silent!.id], LEASE);
    assert.deepEqual((await jobs.expire(wallClock())).requeued, []);
    await sleep(60);
    const { requeued } = await jobs.expire(wallClock());
    assert.deepEqual(
      requeued.map(({ id }) => id),
      [silent!.id],
    );
    assert.deepEqual(await jobs.finish([result(silent!.id, holder(silent!))]), ['stale']);
  },

  'keeps a job whose lease was valid when the caller asked, however late it asks': async ({ jobs }) => {
    await jobs.submit([job()]);
    await jobs.claim(claim({ lease: 20 }));
    const asked = wallClock();
    await sleep(30);
    assert.deepEqual((await jobs.expire(asked)).requeued, []);
    assert.equal((await jobs.expire(wallClock())).requeued.length, 1);
  },

  'gives the holders of jobs a whole lease after a restart': async ({ jobs }) => {
    await jobs.submit([job()]);
    const [taken] = await jobs.claim(claim({ lease: 1 }));
    await sleep(5);
    const [counts] = await jobs.resume(LEASE);
    assert.deepEqual([counts?.endpoint, counts?.held], ['one', { w1: 1 }]);
    assert.deepEqual((await jobs.expire(wallClock())).requeued, []);
    assert.equal(await jobs.progress(taken!.id, holder(taken!), '1', LEASE), 'held');
  },

  'ends a job that waits longer than its time to live, and never starts it': async ({ jobs }) => {
    const late = job({ ttl: 20 });
    await jobs.submit([late, job()]);
    await sleep(30);
    const taken = await jobs.claim(claim({ count: 2 }));
    assert.equal(taken.length, 1);
    const { ended } = await jobs.expire(wallClock());
    assert.deepEqual(
      ended.map(({ id, state }) => [id, state]),
      [[late.id, 'TIMED_OUT']],
    );
  },

  'fails a job that exceeds its execution timeout, and names the worker that must stop it': async ({
    jobs,
  }) => {
    const long = job({ executionTimeout: -1_950 });
    await jobs.submit([long]);
    await jobs.claim(claim());
    await sleep(60);
    const { ended, stopped } = await jobs.expire(wallClock());
    assert.deepEqual(
      ended.map(({ id, state, error }) => [id, state, error]),
      [[long.id, 'FAILED', 'executionTimeout exceeded']],
    );
    assert.deepEqual(stopped, [{ id: long.id, worker: 'w1' }]);
  },

  'cancels waiting jobs, and running ones with a notice to the worker; an ended job is unchanged': async ({
    jobs,
  }) => {
    await jobs.submit([job(), job()]);
    const [running] = await jobs.claim(claim());
    const waiting = (await jobs.find('one', `job-${made}`))!;
    assert.deepEqual((await jobs.cancel('one', waiting.id)).stopped, []);
    const { ended, stopped } = await jobs.cancel('one', running!.id);
    assert.deepEqual([ended[0]?.state, stopped], ['CANCELLED', [{ id: running!.id, worker: 'w1' }]]);
    assert.deepEqual(await jobs.finish([result(running!.id, holder(running!))]), ['stale']);
    assert.deepEqual((await jobs.cancel('one', running!.id)).ended, []);
    assert.deepEqual((await jobs.cancel('two', running!.id)).ended, []);
  },

  'purges waiting jobs slice by slice, and no running job': async ({ jobs, counts }) => {
    await jobs.submit(Array.from({ length: 501 }, () => job()));
    await jobs.claim(claim());
    let removed = 0;
    let slices = 0;
    for (let more = true; more; slices += 1) {
      const purged = await jobs.purge('one');
      removed += purged.ended.length;
      more = purged.more;
    }
    assert.equal(removed, 500);
    assert.ok(slices > 1);
    assert.deepEqual([counts('one')?.waiting, counts('one')?.held], [0, { w1: 1 }]);
  },

  'queues a failed job again with its input, and no other job': async ({ jobs }) => {
    await jobs.submit([job()]);
    const [taken] = await jobs.claim(claim());
    assert.equal(await jobs.retry('one', taken!.id), false);
    await jobs.finish([result(taken!.id, holder(taken!), { state: 'FAILED', output: null, error: 'no' })]);
    assert.equal(await jobs.retry('two', taken!.id), false);
    assert.equal(await jobs.retry('one', taken!.id), true);
    const [again] = await jobs.claim(claim());
    assert.deepEqual([again!.id, again!.input], [taken!.id, taken!.input]);
  },

  'deletes results after their retention; with a key, id and state remain': async ({ jobs }) => {
    const keyed = job({ retention: 10, idempotency: { key: 'k', hash: 'h' } });
    const plain = job({ retention: 10 });
    await jobs.submit([keyed, plain]);
    const taken = await jobs.claim(claim({ count: 2 }));
    await jobs.finish(taken.map((one) => result(one.id, holder(one))));
    await sleep(20);
    await jobs.expire(wallClock());
    assert.equal(await jobs.find('one', plain.id), null);
    const left = (await jobs.find('one', keyed.id))!;
    assert.deepEqual([left.state, left.output, left.error], ['COMPLETED', null, 'result expired']);
    const again = await jobs.submit([job({ idempotency: { key: 'k', hash: 'h' } })]);
    assert.deepEqual(again, [{ as: 'known', id: keyed.id, state: 'COMPLETED' }]);
    assert.deepEqual((await jobs.expire(wallClock())).more, false);
  },

  'deletes many results slice by slice, and lets other calls run in between': async ({ jobs }) => {
    const many = Array.from({ length: 501 }, () => job({ retention: 10 }));
    await jobs.submit([...many, job()]);
    const taken = await jobs.claim(claim({ count: 501 }));
    await jobs.finish(taken.map((one) => result(one.id, holder(one))));
    await sleep(20);
    const left = async () => {
      const found = await Promise.all(many.map(({ id }) => jobs.find('one', id)));
      return found.filter((one) => one !== null).length;
    };
    assert.equal((await jobs.expire(wallClock())).more, true);
    const between = await left();
    assert.ok(between > 0 && between < 501, `${between} are left after a slice`);
    while ((await jobs.expire(wallClock())).more);
    assert.equal(await left(), 0);
    assert.equal((await jobs.claim(claim())).length, 1);
  },

  'drops waiting and running jobs of a removed endpoint': async ({ jobs }) => {
    await jobs.submit([...Array.from({ length: 300 }, () => job()), job({ endpoint: 'two' })]);
    const [taken] = await jobs.claim(claim());
    while ((await jobs.drop('one')).more);
    assert.equal(await jobs.find('one', taken!.id), null);
    assert.deepEqual(await jobs.claim(claim()), []);
    assert.equal((await jobs.claim(claim({ endpoint: 'two' }))).length, 1);
  },

  'counts the waiting jobs, how long they wait, and who holds which jobs': async ({ jobs, counts }) => {
    await jobs.submit([job({ lowPriority: true, input: '{"ä":1}' })]);
    assert.deepEqual(
      { ...counts('one'), nextWaited: 0 },
      {
        endpoint: 'one',
        waiting: 1,
        lowPriority: 1,
        waitingBytes: 8,
        nextWaited: 0,
        nextIsLow: true,
        held: {},
        completed: 0,
        failed: 0,
        retried: 0,
      },
    );
    await jobs.submit([job()]);
    await sleep(30);
    await jobs.submit([job()]);
    const { nextIsLow, nextWaited } = counts('one')!;
    assert.equal(nextIsLow, false);
    assert.ok(nextWaited! >= 25);
    await jobs.claim(claim({ count: 3 }));
    await jobs.renew('one', 'w1', [], LEASE);
    const empty = counts('one')!;
    assert.deepEqual(
      [empty.waiting, empty.lowPriority, empty.waitingBytes, empty.nextWaited, empty.held],
      [0, 0, 0, null, { w1: 3 }],
    );
  },
};
