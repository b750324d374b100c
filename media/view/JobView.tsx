/** The result of a job: what the function returned, or why it failed. */
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { type Exchange, failureOf, type Job } from '../request/Exchange.ts';
import { FailureView } from './FailureView.tsx';
import { ValueView } from './ValueView.tsx';

export function JobView({ job, exchange: { text } }: { job: Job; exchange: Exchange }) {
  if (job.error !== undefined) return <FailureView failure={failureOf(job.error)} />;
  const tree = 'output' in job ? parseTree(text) : undefined;
  const output = tree && findNodeAtLocation(tree, ['output']);
  // A slice of the response: parsing and writing it again would change numbers.
  if (output) return <ValueView json={text.slice(output.offset, output.offset + output.length)} />;
  const how = job.status === 'CANCELLED' ? 'was cancelled' : 'has not ended yet';
  return (
    <p class="muted">
      The job {job.id} {how}.
    </p>
  );
}
