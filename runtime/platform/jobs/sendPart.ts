/** Sends workers the parts of their build. */
import { pipeline } from 'node:stream';
import { ToolkitError } from '../../contract/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { authorized, type WorkerRoutesContext } from './workerRequest.ts';

/** Sends one part. Supports Range, so that an interrupted download can be resumed. */
export function sendPart(context: WorkerRoutesContext, http: Exchange): void {
  const worker = authorized(context, http);
  const content = http.parameter('content');
  if (!worker.target.parts.some((assigned) => assigned.content === content)) {
    throw new ToolkitError(
      'NOT_FOUND',
      `The part ${content} of the artifact does not belong to this worker.`,
    );
  }
  const part = context.parts.find(content);
  if (!part) {
    throw new ToolkitError(
      'PART_MISSING',
      `The part ${content.slice(0, 12)} of the artifact was damaged on the platform's disk and has been removed.`,
      { hint: 'Deploy again to upload it.' },
    );
  }
  const { response } = http;
  const range = /^bytes=(\d+)-(\d*)$/.exec(http.header('range'));
  const start = range ? Number(range[1]) : 0;
  const end = Math.min(range?.[2] ? Number(range[2]) : part.size - 1, part.size - 1);
  const headers = { 'content-type': 'application/octet-stream', 'accept-ranges': 'bytes' };
  if (range && start > end) {
    response.writeHead(416, { ...headers, 'content-range': `bytes */${part.size}`, 'content-length': 0 });
    response.end();
    return;
  }
  response.writeHead(range ? 206 : 200, {
    ...headers,
    ...(range && { 'content-range': `bytes ${start}-${end}/${part.size}` }),
    'content-length': Math.max(0, end - start + 1),
  });
  if (part.size === 0 || http.method === 'HEAD') response.end();
  else
    pipeline(context.parts.read(part, start, end), response, (error) => {
      if (error) context.log.debug({ err: error, worker: worker.id }, 'a part was not sent completely');
    });
}
