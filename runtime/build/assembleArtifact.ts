/** Dependencies part and code → the artifact: the part is copied unread, the code packed behind it. */
import { createHash } from 'node:crypto';
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
 * Begins an artifact with its dependencies part: in the kernel, by sharing blocks where the file system can. Apart from
 * the rest because it is the long step, and what the code part needs can be made meanwhile.
 *
 * @throws ToolkitError DISK_FULL or NOT_WRITABLE.
 */
export function beginArtifact(file: string, dependencies: DependencyPart | null): Promise<void> {
  const begun = dependencies
    ? copyFile(dependencies.file, file, constants.COPYFILE_FICLONE)
    : Promise.resolve();
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
 * Writes the code part behind what `beginArtifact` wrote; packs while that is still under way.
 *
 * @param begun What `beginArtifact` answered.
 * @throws ToolkitError ARTIFACT_TOO_LARGE, DISK_FULL or NOT_WRITABLE.
 */
export async function finishArtifact(
  begun: Promise<void>,
  file: string,
  dependencies: DependencyPart | null,
  code: CodeContents,
  limit: ArtifactLimit,
  signal: AbortSignal,
): Promise<AssembledArtifact> {
  try {
    const whole = dependencies
      ? await ResumableHash.resume(dependencies.hashState)
      : await ResumableHash.start();
    const offset = dependencies?.bytes ?? 0;
    const handle = toldLater(begun.then(() => open(file, dependencies ? 'r+' : 'w')));
    try {
      const own = createHash('sha256');
      let written = offset;
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

function dependencyParts(part: DependencyPart | null): AssembledPart[] {
  if (!part) return [];
  const { content, sha256, bytes, set } = part;
  return [{ role: 'dependencies', content, sha256, size: bytes, dependencySet: set, offset: 0 }];
}
