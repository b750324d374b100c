/** Reads the files of a `.tar.gz` with tar-stream. */
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';

/** Path → content and mode. */
export async function readTar(archive: Buffer): Promise<Map<string, { content: Buffer; mode: number }>> {
  const found = new Map<string, { content: Buffer; mode: number }>();
  const reader = extract();
  reader.on('entry', (header, stream, next) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk) => chunks.push(chunk as Buffer));
    stream.on('end', () => {
      found.set(header.name, { content: Buffer.concat(chunks), mode: header.mode ?? 0 });
      next();
    });
  });
  const done = new Promise<void>((resolve, reject) => {
    reader.on('finish', resolve);
    reader.on('error', reject);
  });
  reader.end(gunzipSync(archive));
  await done;
  return found;
}
