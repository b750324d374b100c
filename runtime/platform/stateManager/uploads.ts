/** Creates upload tickets and accepts the uploads: PUT with Content-Range; HEAD returns the offset. */
import type { PartRef, UploadTicket } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { PLATFORM_LIMITS } from '../../contract/limits.ts';
import { deriveSecret, equalSecrets } from '../auth/secret.ts';
import { wallClock } from '../clock.ts';
import type { Exchange } from '../http/exchange.ts';
import { bodyChunks } from '../http/readBody.ts';
import type { Routes } from '../http/routes.ts';
import type { PartPromises } from './partPromises.ts';
import { checkPart, type ExpectedPart, type Parts } from './parts.ts';

/** Bytes that have arrived; a header of responses to HEAD and PUT. */
const UPLOAD_OFFSET_HEADER = 'upload-offset';

export class Uploads {
  readonly #parts: Parts;
  readonly #promises: PartPromises;
  readonly #secret: string;
  readonly #url: string;

  /**
   * @param secret Signs the tickets.
   * @param url The platform's address for clients.
   */
  constructor(parts: Parts, promises: PartPromises, secret: string, url: string) {
    this.#parts = parts;
    this.#promises = promises;
    this.#secret = secret;
    this.#url = url;
  }

  /** @throws ToolkitError UPLOAD_REJECTED, ARTIFACT_TOO_LARGE. */
  prepare(parts: PartRef[]): UploadTicket[] {
    for (const part of parts) checkPart(part);
    return parts.map((part) => {
      const { content } = part;
      this.#promises.make(content);
      if (this.#parts.has(content)) return { content, missing: false, url: null };
      const expires = wallClock() + PLATFORM_LIMITS.uploadTicket;
      const query = new URLSearchParams({
        sha256: part.sha256,
        size: String(part.size),
        expires: String(expires),
        signature: this.#sign(part, expires),
      });
      return { content, missing: true, url: `${this.#url}/uploads/${content}?${query.toString()}` };
    });
  }

  /** Adds the routes of uploads. The signature is the authorization: each URL is valid for one part only. */
  addRoutes(routes: Routes): void {
    const path = '/uploads/:content';
    routes.add(['HEAD'], path, async (http) => {
      const { content } = this.#ticket(http);
      const offset = await this.#parts.offset(content);
      http.response.writeHead(200, { [UPLOAD_OFFSET_HEADER]: offset, 'content-length': 0 });
      http.response.end();
    });
    routes.add(['PUT'], path, async (http) => {
      const expected = this.#ticket(http);
      const start = startOf(http, expected.size);
      const offset = await this.#parts.receive(expected, start, bodyChunks(http.request));
      // If the part was already complete, its body was not read.
      http.request.resume();
      const complete = offset === expected.size;
      http.response.statusCode = complete ? 201 : 202;
      http.response.setHeader(UPLOAD_OFFSET_HEADER, offset);
      http.sendJson(JSON.stringify({ content: expected.content, offset, complete }));
    });
  }

  #ticket(http: Exchange): ExpectedPart {
    const text = (name: string) => http.query(name) ?? '';
    const content = http.parameter('content');
    const part = { content, sha256: text('sha256'), size: Number(text('size')) };
    const expires = Number(text('expires'));
    if (!equalSecrets(text('signature'), this.#sign(part, expires))) {
      throw new ToolkitError('UNAUTHORIZED', 'This upload URL is not signed by this platform.');
    }
    if (expires < wallClock()) {
      throw new ToolkitError('UNAUTHORIZED', 'This upload URL has expired.', { hint: 'Deploy again.' });
    }
    return part;
  }

  #sign({ content, sha256, size }: ExpectedPart, expires: number): string {
    return deriveSecret(this.#secret, `upload ${JSON.stringify([content, sha256, size, expires])}`);
  }
}

/** The offset of the body: `Content-Range: bytes START-END/SIZE`, or 0 without this header. */
function startOf(http: Exchange, size: number): number {
  const header = http.header('content-range');
  if (header === '') return 0;
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header);
  if (!match || Number(match[3]) !== size) {
    throw new ToolkitError(
      'BAD_REQUEST',
      `The Content-Range must be "bytes START-END/${size}" for this part of ${size} bytes, not "${header}".`,
    );
  }
  return Number(match[1]);
}
