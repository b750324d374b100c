/** Dependencies parts and code → the artifact: the first part is copied unread, others behind it, then the code is packed. */
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

/** A part as a slice of the artifact; offset in bytes. */
interface AssembledPart extends PartRef {
  offset: number;
}

/** A finished artifact; bytes and hex sha256 of the whole file. */
export interface AssembledArtifact {
  bytes: number;
  sha256: string;
  parts: AssembledPart[];
}

/**
 * Begins an artifact with its first dependencies part: in the kernel, by sharing blocks where the file system can. Apart from
 * the rest because it is the long step, and what the code part needs can be made meanwhile.
 *
 * @throws ToolkitError DISK_FULL or NOT_WRITABLE.
 */
export function beginArtifact(file: string, [first]: readonly DependencyPart[]): Promise<void> {
  const begun = first ? copyFile(first.file, file, constants.COPYFILE_FICLONE) : Promise.resolve();
  return toldLater(
    begun.catch((error: unknown) => {
      throw asWriteError(error, file);
    }),
  );
}

/** A failure may come before anybody waits for it; whoever waits is told all the same. */
function toldLater<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {});
  return promise;
}

/**
 * Writes the other parts and the code part behind what `beginArtifact` wrote; packs while that is still under way.
 *
 * @param begun What `beginArtifact` answered.
 * @param dependencies The parts, in their order, the first of them begun.
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
    const handle = toldLater(begun.then(() => open(file, first ? 'r+' : 'w')));
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
