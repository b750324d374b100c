/** Errors of jobs that were lost with their worker in every attempt. */
import type { JobExceptionBody } from '../../contract/job.ts';

/** What is known of a worker that has ended. */
interface EndedWorker {
  id: string;
  reason: string | null;
  /** Its last log lines. */
  lines: string[];
}

/**
 * The reason of the last loss, and the number of retries.
 *
 * @param error The structured reason, a JSON string; null if none was reported.
 * @param retries How often the job was requeued.
 */
export function lostReason(error: string | null, retries: number): string {
  if (error === null) return 'worker lost';
  try {
    const reason = JSON.parse(error) as Record<string, unknown> | null;
    const message = reason?.['error_message'];
    if (typeof message === 'string')
      return JSON.stringify({ ...reason, error_message: `${message}, ${retries} retries` });
  } catch {
    // A third-party worker can post any text.
  }
  return error;
}

/** The structured reason for jobs of a worker that has ended, as a JSON string; null if it is unknown how it ended. */
export function endReason({ id, reason, lines }: EndedWorker): string | null {
  if (reason === null) return null;
  const body: JobExceptionBody = {
    error_type: 'WorkerLost',
    error_message: `worker lost: ${reason.replace(/\.$/, '')}`,
    error_traceback: lines.join('\n'),
    hostname: id,
    worker_id: id,
    runtime_version: '',
  };
  return JSON.stringify(body);
}
