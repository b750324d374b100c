/** Dependencies parts and code → the artifact: the first part is copied without reading it, then the others, then the code. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { constants, copyFile, open } from 'node:fs/promises';
import type { PartRef } from '../contract/deployment.ts';
import { PartWriter } from './archive/partWriter.ts';
import type { ArtifactLimit } from './artifactLimit.ts';
import { type CodeContents, packCode } from './code/packCode.ts';
import type { DependencyPart } from './dependencyPart.ts';
import { asWriteError } from './fileErrors.ts';
import { ResumableHash } from './resumableHash.ts';

/** A part as a slice of the artifact. The offset is in bytes. */
interface AssembledPart extends PartRef {
  offset: number;
}

/** A finished artifact, with the size in bytes and the hex sha256 of the whole file. */
export interface AssembledArtifact {
  bytes: number;
  sha256: string;
  parts: AssembledPart[];
}

/**
 * Begins an artifact with a copy of its first dependencies part. The kernel copies it, and shares blocks if the file system
 * can. This is a separate function because it takes longest: the build prepares the code part at the same time.
 *
 * @throws ToolkitError DISK_FULL or NOT_WRITABLE.
 */
export function beginArtifact(file: string, [first]: readonly DependencyPart[]): Promise<void> {
  const begun = first ? copyFile(first.file, file, constants.COPYFILE_FICLONE) : Promise.resolve();
  return handledLater(
    begun.catch((error: unknown) => {
      throw asWriteError(error, file);
    }),
  );
}

/** Keeps a rejection that comes before the promise is awaited from being reported as unhandled. Awaiting it still throws. */
function handledLater<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {});
  return promise;
}

/**
 * Appends the other parts and the code part to what `beginArtifact` writes. Packs the code while that is still in progress.
 *
 * @param begun What `beginArtifact` returned.
 * @param dependencies The parts in their order; `beginArtifact` writes the first of them.
 * @throws ToolkitError ARTIFACT_TOO_LARGE, DISK_FULL or NOT_WRITABLE.
 */
export async function finishArtifact(
  begun: Promise<void>,
  file: string,
  dependencies: readonly DependencyPart[],
  code: CodeContents,
  limit: ArtifactLimit,
  signal: AbortSignal,
): Promise<AssembledArtifact> {
  try {
    const [first, ...others] = dependencies;
    const whole = first ? await ResumableHash.resume(first.hashState) : await ResumableHash.start();
    const handle = handledLater(begun.then(() => open(file, first ? 'r+' : 'w')));
    try {
      const own = createHash('sha256');
      let written = first?.bytes ?? 0;
      for (const part of others) {
        const copy = new PartWriter(handle, written, signal, (chunk) => whole.update(chunk));
        for await (const chunk of createReadStream(part.file, { signal })) await copy.write(chunk as Buffer);
        await copy.finish();
        limit.check((written += part.bytes));
      }
      const offset = written;
      const out = new PartWriter(handle, offset, signal, (chunk) => {
        whole.update(chunk);
        own.update(chunk);
        limit.check((written += chunk.length));
      });
      const content = await packCode(code, out, signal);
      await out.finish();
      const codePart: AssembledPart = {
        role: 'code',
        content,
        sha256: own.digest('hex'),
        size: out.bytes,
        dependencySet: null,
        offset,
      };
      return {
        bytes: written,
        sha256: whole.digest(),
        parts: [...dependencyParts(dependencies), codePart],
      };
    } finally {
      await (await handle).close();
    }
  } catch (error) {
    throw asWriteError(error, file);
  }
}

function dependencyParts(parts: readonly DependencyPart[]): AssembledPart[] {
  let offset = 0;
  return parts.map(({ content, sha256, bytes: size, set }) => {
    const placed = { role: 'dependencies', content, sha256, size, dependencySet: set, offset } as const;
    offset += size;
    return placed;
  });
}
