/** Why a job that was lost with its worker each time ends: in its worker's words, and how often it was tried again. */

/**
 * @param error The structured reason of the last loss, a JSON string; null when nobody told one.
 * @param retries How often the job was queued again.
 */
export function lostReason(error: string | null, retries: number): string {
  if (error === null) return 'worker lost';
  try {
    const told = JSON.parse(error) as Record<string, unknown> | null;
    const message = told?.['error_message'];
    if (typeof message === 'string')
      return JSON.stringify({ ...told, error_message: `${message}, ${retries} retries` });
  } catch {
    // A third party's worker may post any text.
  }
  return error;
}
