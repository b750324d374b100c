/**
 * The copy of toolkit_sdk that ships in the code part, read from the wheel that comes with the toolkit. Does not include the
 * node agent, since each node has its own.
 */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { ToolkitError } from '../../contract/errors.ts';
import { ARTIFACT_PATHS, SDK_MODULE } from '../../contract/names.ts';
import { distFile } from '../../source/assets.ts';

const AGENT = `${ARTIFACT_PATHS.sdk}/_agent/`;

/** Path in the artifact → bytes, and a hash of both. */
export interface SdkCopy {
  files: Map<string, Uint8Array>;
  sha256: string;
}

/** The wheel of toolkit_sdk that belongs to this toolkit. */
export function sdkWheel(): string {
  const folder = path.dirname(distFile('any'));
  const name = readdirSync(folder).find((file) => file.startsWith(`${SDK_MODULE}-`) && file.endsWith('.whl'));
  if (name) return path.join(folder, name);
  throw new ToolkitError('INTERNAL', `The wheel of ${SDK_MODULE} is missing in ${folder}.`, {
    hint: 'Install the toolkit again. In a checkout of its source, run "npm run build".',
  });
}

let copy: SdkCopy | null = null;

/** Reads the package from its wheel, once. The wheel is small and trusted, so it is unpacked in memory. */
export function readSdk(): SdkCopy {
  copy ??= unpackSdk();
  return copy;
}

function unpackSdk(): SdkCopy {
  const entries = unzipSync(readFileSync(sdkWheel()), {
    filter: ({ name }) => name.startsWith(`${ARTIFACT_PATHS.sdk}/`) && !name.startsWith(AGENT),
  });
  const files = new Map(Object.entries(entries));
  const listed = [...files].map(([name, bytes]) => [name, hash('sha256', bytes)]).sort();
  return { files, sha256: hash('sha256', JSON.stringify(listed)) };
}
