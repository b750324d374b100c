/** Sends workers the parts of the build that they run. */
import type { Context } from 'koa';
import { ToolkitError } from '../../contract/errors.ts';
import { authorized, parameter, type WorkerRoutesContext } from './workerRequest.ts';

/** One part's bytes, with Range so that a cut download goes on. */
export function sendPart(context: WorkerRoutesContext, http: Context): void {
  const worker = authorized(context, http);
  const content = parameter(http, 'content');
  if (!worker.target.parts.some((assigned) => assigned.content === content)) {
    throw new ToolkitError('NOT_FOUND', `The part ${content} is not of this worker.`);
  }
  const part = context.parts.find(content);
  if (!part) {
    throw new ToolkitError(
      'PART_MISSING',
      `The part ${content.slice(0, 12)} was found damaged on the platform's disk and removed.`,
      { hint: 'Deploy again: it is sent anew.' },
    );
  }
  const range = /^bytes=(\d+)-(\d*)$/.exec(http.get('range'));
  const start = range ? Number(range[1]) : 0;
  const end = Math.min(range?.[2] ? Number(range[2]) : part.size - 1, part.size - 1);
  http.type = 'application/octet-stream';
  http.set('accept-ranges', 'bytes');
  if (range && start > end) {
    http.set('content-range', `bytes */${part.size}`);
    http.status = 416;
    return;
  }
  http.status = range ? 206 : 200;
  if (range) http.set('content-range', `bytes ${start}-${end}/${part.size}`);
  http.length = Math.max(0, end - start + 1);
  http.body = part.size === 0 ? Buffer.alloc(0) : context.parts.read(part, start, end);
}
