/** Uploads the parts of an artifact that the platform lacks: streamed from the archive, and resumed after a failure. */
import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ArtifactPart } from '../build/buildProject.ts';
import type { UploadTicket } from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';
import type { ReportProgress } from '../contract/progress.ts';
import type { PlatformClient } from './platformClient.ts';

const ATTEMPTS = 4;
const RETRY_MS = 500;
/** Bytes of a part per read: a read costs the same whatever its length. */
const READ_BYTES = 1 << 20;

/**
 * Uploads the parts that the platform lacks.
 *
 * @returns The number of uploaded bytes.
 */
export async function uploadParts(
  client: PlatformClient,
  parts: readonly ArtifactPart[],
  report: ReportProgress,
  signal: AbortSignal,
): Promise<number> {
  if (parts.length === 0) return 0;
  const tickets = await client.prepareUpload(parts.map(partRef), signal);
  const missing = parts.flatMap((part) => {
    const ticket = tickets.find(({ content }) => content === part.content);
    return ticket?.missing && ticket.url ? [{ part, ticket }] : [];
  });
  const total = missing.reduce((sum, { part }) => sum + part.size, 0);
  let before = 0;
  for (const { part, ticket } of missing) {
    const offset = before;
    await uploadPart(
      client,
      part,
      ticket,
      (sent) => report({ type: 'bytes', label: 'Uploading', done: offset + sent, total }),
      signal,
    );
    before += part.size;
  }
  return total;
}

/** The description of a part that is sent to the platform. */
export function partRef({ role, content, sha256, size, dependencySet }: ArtifactPart): {
  role: ArtifactPart['role'];
  content: string;
  sha256: string;
  size: number;
  dependencySet: string | null;
} {
  return { role, content, sha256, size, dependencySet };
}

async function uploadPart(
  client: PlatformClient,
  part: ArtifactPart,
  ticket: UploadTicket,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const url = new URL(ticket.url!, client.url).href;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const from = attempt === 1 ? 0 : await uploadedBytes(client, url, signal);
      return await send(client, url, part, from, onSent, signal);
    } catch (error) {
      const broken = error instanceof ToolkitError && error.code === 'PLATFORM_UNREACHABLE';
      if (!broken || attempt === ATTEMPTS) throw error;
      await sleep(RETRY_MS * 2 ** attempt, undefined, { signal });
    }
  }
}

async function uploadedBytes(client: PlatformClient, url: string, signal: AbortSignal): Promise<number> {
  const response = await client.fetch(url, { method: 'HEAD', signal });
  return Number(response.headers.get('upload-offset') ?? 0);
}

async function send(
  client: PlatformClient,
  url: string,
  part: ArtifactPart,
  from: number,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let sent = from;
  const [start, end] = [part.offset + from, part.offset + part.size - 1];
  const file = createReadStream(part.file, { start, end, highWaterMark: READ_BYTES });
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      sent += chunk.length;
      onSent(sent);
      yield chunk;
    }
  }
  const response = await client.fetch(url, {
    method: 'PUT',
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(part.size - from),
      'content-range': `bytes ${from}-${part.size - 1}/${part.size}`,
    },
    // Node's fetch accepts an async iterable, which costs less than wrapping it in a web stream.
    body: counted() as unknown as ReadableStream,
    duplex: 'half',
    signal,
  });
  if (response.ok) return;
  const answer = (await response.json().catch(() => ({}))) as { error?: string; hint?: string };
  throw new ToolkitError(
    'UPLOAD_REJECTED',
    answer.error
      ? `The platform rejected a part of the artifact: ${answer.error}`
      : `The platform rejected a part of the artifact (status ${response.status}).`,
    {
      hint:
        answer.hint ??
        'Build again: if the artifact was changed after the build, its hash no longer matches.',
    },
  );
}
