/**
 * New jobs in columns, as they are sent to the store's thread. This takes both threads a quarter of the time
 * that objects take.
 */
import type { NewJob } from '../jobs/jobStore.ts';
import type { JsonText } from '../json/jsonText.ts';

/** Fields that most jobs of a batch share. */
type Terms = Omit<NewJob, 'id' | 'input'>;

export interface JobColumns {
  ids: string[];
  inputs: JsonText[];
  /** In the order of the jobs, each with the number of consecutive jobs that share it. */
  terms: { terms: Terms; jobs: number }[];
}

export function columnsOf(jobs: NewJob[]): JobColumns {
  const columns: JobColumns = { ids: [], inputs: [], terms: [] };
  for (const { id, input, ...terms } of jobs) {
    columns.ids.push(id);
    columns.inputs.push(input);
    const last = columns.terms.at(-1);
    if (last && areEqual(last.terms, terms)) last.jobs += 1;
    else columns.terms.push({ terms, jobs: 1 });
  }
  return columns;
}

export function jobsOf({ ids, inputs, terms }: JobColumns): NewJob[] {
  const each = terms.flatMap((run) => Array.from({ length: run.jobs }, () => run.terms));
  return ids.map((id, index) => ({ id, input: inputs[index]!, ...each[index]! }));
}

function areEqual(one: Terms, other: Terms): boolean {
  return (
    one.endpoint === other.endpoint &&
    one.executionTimeout === other.executionTimeout &&
    one.ttl === other.ttl &&
    one.lowPriority === other.lowPriority &&
    one.webhook === other.webhook &&
    one.retention === other.retention &&
    one.idempotency === other.idempotency
  );
}
