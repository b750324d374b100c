/** Wheels → one dependencies part, written without unpacking them. Nothing else writes this part. */
import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { ToolkitError } from '../../contract/errors.ts';
import { PartWriter } from '../archive/partWriter.ts';
import { emptyMemberAround, SplicedTar } from '../archive/splicedTar.ts';
import { ZipFile } from '../archive/zipFile.ts';
import { ResumableHash, sha256Padding } from '../resumableHash.ts';
import { InstalledPaths } from './installedPaths.ts';
import { type LocalWheel, wheelLabel } from './localWheel.ts';
import { type PlannedFile, planWheel } from './wheelPlan.ts';

/** A finished part. */
export interface SplicedPart {
  bytes: number;
  sha256: string;
  /** State of the sha256 after the part's last byte. */
  hashState: string;
}

/**
 * Writes the wheels to an open file, in the given order, under `prefix`. Opens one wheel at a time, so that memory and
 * descriptors do not grow with the number of wheels.
 *
 * @param onBytes Called now and then with the number of wheel bytes that are done.
 * @throws ToolkitError WHEEL_INVALID for a wheel that must not be installed, or two that write the same path.
 */
export async function spliceWheels(
  wheels: readonly LocalWheel[],
  prefix: string,
  file: FileHandle,
  signal: AbortSignal,
  onBytes: (done: number) => void = () => {},
): Promise<SplicedPart> {
  const whole = createHash('sha256');
  // A wheel adds about its own size to the part. Progress never reports more than that.
  const progress = { finished: 0, current: 0, startedAt: 0 };
  const out = new PartWriter(Promise.resolve(file), 0, signal, (bytes) => {
    whole.update(bytes);
    onBytes(progress.finished + Math.min(out.bytes - progress.startedAt, progress.current));
  });
  const tar = new SplicedTar(out);
  const paths = new InstalledPaths();
  onBytes(0);
  for (const wheel of wheels) {
    const zip = await ZipFile.open(wheel.path, wheelLabel(wheel));
    progress.current = wheel.bytes;
    progress.startedAt = out.bytes;
    try {
      for (const planned of await planWheel(zip)) {
        refuseUnnamed(wheel, planned);
        if (await paths.claim(wheel, planned)) await addFile(tar, zip, planned, `${prefix}/${planned.path}`);
      }
    } finally {
      await zip.close();
    }
    progress.finished += wheel.bytes;
  }
  await tar.finish();
  const hashState = await endResumably(out, whole);
  return { bytes: out.bytes, sha256: whole.digest('hex'), hashState };
}

/** Ends the part so that its hash can be resumed: the last member is empty and carries the sha256 padding in its header. */
async function endResumably(out: PartWriter, whole: Hash): Promise<string> {
  const [head, padding, tail] = emptyMemberAround((headBytes) => sha256Padding(out.bytes + headBytes));
  await out.write(head);
  await out.finish();
  const resumed = await ResumableHash.behindPadding(whole.copy().digest(), out.bytes);
  resumed.update(tail);
  await out.write(Buffer.concat([padding, tail]));
  await out.finish();
  return resumed.save();
}

async function addFile(tar: SplicedTar, zip: ZipFile, file: PlannedFile, path: string): Promise<void> {
  if (Buffer.isBuffer(file.from)) await tar.addBytes(path, file.mode, file.from);
  else await tar.addEntry(path, file.mode, zip, file.from);
}

/** Refuses a file in `.data` whose installed path is empty. Other names were checked when the directory was read. */
function refuseUnnamed(wheel: LocalWheel, file: PlannedFile): void {
  if (file.path !== '' && file.path !== 'bin/') return;
  throw new ToolkitError(
    'WHEEL_INVALID',
    `${wheelLabel(wheel)} cannot be used: a file in its .data folder has no path.`,
    { hint: 'Pin another version of the package, or report the broken wheel to its publisher.' },
  );
}
