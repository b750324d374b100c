/** Wheels → one dependencies part, written without unpacking them. The only writer of that part. */
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

/** What a finished part is; sizes in bytes. */
export interface SplicedPart {
  bytes: number;
  sha256: string;
  /** The sha256's state behind the part's last byte. */
  hashState: string;
}

/**
 * Writes the wheels, in the order given, under `prefix` into an open file. One wheel is open at a time, so that
 * memory and descriptors do not grow with their number.
 *
 * @param onBytes Told how many bytes of the wheels are done, now and then.
 * @throws ToolkitError WHEEL_INVALID for a wheel that may not be installed, or two that write the same path.
 */
export async function spliceWheels(
  wheels: readonly LocalWheel[],
  prefix: string,
  file: FileHandle,
  signal: AbortSignal,
  onBytes: (done: number) => void = () => {},
): Promise<SplicedPart> {
  const whole = createHash('sha256');
  // What a wheel adds to the part is about its own size, and never told as more.
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

/** Ends the part where the hash can be taken up: its last member is empty, and carries the padding in its header. */
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

/** Names were checked when the directory was read; a file right in `.data` has none of its own. */
function refuseUnnamed(wheel: LocalWheel, file: PlannedFile): void {
  if (file.path !== '' && file.path !== 'bin/') return;
  throw new ToolkitError(
    'WHEEL_INVALID',
    `${wheelLabel(wheel)} cannot be used: a file in its .data folder has no place.`,
    { hint: 'Pin another version of the package, or report the broken wheel to its publisher.' },
  );
}
