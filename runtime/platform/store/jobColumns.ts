/** New jobs as they go to the store's thread: by columns, which take both threads a quarter of the time that objects do. */
import type { NewJob } from '../jobs/jobStore.ts';
import type { JsonText } from '../json/jsonText.ts';

/** What the jobs of a batch mostly have in common. */
type Terms = Omit<NewJob, 'id' | 'input'>;

export interface JobColumns {
  ids: string[];
  inputs: JsonText[];
  /** In the order of the jobs, with how many jobs in a row have the same. */
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
