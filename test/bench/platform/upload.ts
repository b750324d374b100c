/** Upload of a part of 200 MB, over a copy of the same bytes that is synced and hashed once. */
import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  fsyncSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import type { ArtifactPart } from '../../../runtime/build/buildProject.ts';
import { PlatformClient } from '../../../runtime/deploy/platformClient.ts';
import { uploadParts } from '../../../runtime/deploy/uploadParts.ts';
import { command, compare } from '../measure.ts';
import { withBench } from './bench.ts';
import { deploy } from './deployed.ts';

const ROUNDS = 5;
const BYTES = 200_000_000;

await withBench(async (bench) => {
  const platform = await deploy(bench, {
    'worker.py': `from toolkit_sdk import Endpoint


@Endpoint(name="idle", cpu="cpu3c-1-2", workers=(0, 0))
def idle(text: str) -> None:
    """Never runs."""
`,
  });
  const { url } = platform.record;
  const client = new PlatformClient(url, { value: platform.key, source: 'the credentials file' }, true);
  const { signal } = new AbortController();
  const file = path.join(bench.folder, 'part');
  const copy = path.join(bench.folder, 'copy');
  writeFileSync(file, randomFillSync(Buffer.allocUnsafe(BYTES)));
  let part: ArtifactPart;
  await compare(
    'upload of a 200 MB part / cp, fsync and sha256 of it',
    3,
    {
      name: 'upload',
      // The platform keeps its parts, so each round needs different bytes.
      prepare: async () => {
        part = await changedPart(file);
      },
      run: async () => {
        const sent = await uploadParts(client, [part], () => {}, signal);
        if (sent !== BYTES) throw new Error(`${sent} bytes of ${BYTES} were sent.`);
      },
    },
    {
      name: 'cp, fsync, sha256',
      prepare: () => rmSync(copy, { force: true }),
      run: async () => {
        command('cp', [file, copy]);
        const descriptor = openSync(copy, 'r+');
        fsyncSync(descriptor);
        closeSync(descriptor);
        await sha256Of(copy);
      },
    },
    ROUNDS,
  );
});

/** Changes the bytes at the start of the file, and returns the changed part. */
async function changedPart(file: string): Promise<ArtifactPart> {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, randomBytes(32));
  closeSync(descriptor);
  const sha256 = await sha256Of(file);
  const { size } = statSync(file);
  return { role: 'dependencies', content: sha256, sha256, size, dependencySet: null, file, offset: 0 };
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  const chunks = createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>;
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}
