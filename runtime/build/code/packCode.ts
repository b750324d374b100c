/**
 * Project files, generated files and toolkit_sdk → the code part: one gzip member that contains a tar, sorted, with fixed
 * dates and modes. Its identity is the hash of the uncompressed tar. Large files are streamed.
 */
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import { ToolkitError } from '../../contract/errors.ts';
import { ARTIFACT_PATHS } from '../../contract/names.ts';
import type { PartWriter } from '../archive/partWriter.ts';
import { ARCHIVE_MTIME, type ArchiveMode } from '../archive/tarHeader.ts';
import { openShipped, readShipped } from './openShipped.ts';

/** tar-stream gives each header as its own chunk; compressing such small chunks one by one takes three times as long. */
const BATCH = 1 << 18;
/** Number of files to add before yielding to the event loop. */
const AT_ONCE = 64;

/** Contents of the code part. */
export interface CodeContents {
  root: string;
  /** Files of the project, relative to the root. */
  shipped: readonly string[];
  /** Path in the artifact → bytes. */
  generated: ReadonlyMap<string, Uint8Array>;
}

/**
 * Writes the code part.
 *
 * @returns Hex sha256 of the uncompressed tar.
 * @throws ToolkitError SHIPPED_NAME_CLASH for a project file at a path that is reserved for the build.
 */
export async function packCode(
  contents: CodeContents,
  out: PartWriter,
  signal: AbortSignal,
): Promise<string> {
  // The locked set replaces the project's requirements.txt.
  const shipped = contents.shipped.filter((file) => file !== ARTIFACT_PATHS.requirements);
  refuseClashes(shipped);
  const tar = pack();
  const digest = createHash('sha256');
  const filling = fill(tar, contents, [...new Set([...shipped, ...contents.generated.keys()])].sort());
  filling.catch((error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))));
  const plain = async function* () {
    for await (const chunk of inBatches(tar as AsyncIterable<Buffer>)) {
      digest.update(chunk);
      yield chunk;
    }
  };
  await pipeline(
    plain,
    createGzip({ level: 6, chunkSize: BATCH }),
    async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) await out.write(chunk);
    },
    { signal },
  );
  await filling;
  return digest.digest('hex');
}

async function fill(tar: Pack, { root, generated }: CodeContents, names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    if (index % AT_ONCE === 0) await setImmediate();
    const bytes = generated.get(name);
    if (bytes) await addBytes(tar, name, 0o644, bytes);
    else await addFile(tar, root, name);
  }
  tar.finalize();
}

async function addFile(tar: Pack, root: string, name: string): Promise<void> {
  const small = readShipped(root, name);
  if (small) return addBytes(tar, name, archiveMode(small.mode), small.bytes);
  const handle = await openShipped(root, name);
  try {
    const stat = await handle.stat();
    const mode = archiveMode(stat.mode);
    const source = handle.createReadStream({ end: stat.size - 1, autoClose: false, highWaterMark: BATCH });
    const entry = tar.entry({ name, size: stat.size, mode, mtime: new Date(ARCHIVE_MTIME * 1000) });
    await pipeline(source, entry).catch((cause: unknown) => {
      throw new ToolkitError('PROJECT_HAS_ERRORS', `${name} changed while it was being packed.`, {
        hint: 'Build again.',
        cause,
      });
    });
  } finally {
    await handle.close();
  }
}

async function* inBatches(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < BATCH) continue;
    yield Buffer.concat(held);
    held = [];
    bytes = 0;
  }
  yield Buffer.concat(held);
}

function archiveMode(mode: number): ArchiveMode {
  return mode & 0o111 ? 0o755 : 0o644;
}

async function addBytes(tar: Pack, name: string, mode: number, bytes: Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const header = { name, mode, mtime: new Date(ARCHIVE_MTIME * 1000), size: bytes.length };
    tar.entry(header, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), (error) =>
      error ? reject(error) : resolve(),
    );
  });
}

function refuseClashes(shipped: readonly string[]): void {
  const { manifest, generated, sdk } = ARTIFACT_PATHS;
  const reserved = [manifest, generated, sdk, `${sdk}.py`];
  const taken = shipped.find((file) => reserved.includes(file.split('/')[0]!));
  if (taken === undefined) return;
  throw new ToolkitError(
    'SHIPPED_NAME_CLASH',
    `${taken} cannot be part of the artifact: this path is reserved for files that the build creates.`,
    { hint: 'Rename it, or list it in .toolkitignore.' },
  );
}
