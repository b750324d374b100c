/** uv's output → the error for a requirement with its own address, `NAME @ https://…`, whose file cannot be downloaded. */
import { ToolkitError } from '../../contract/errors.ts';
import { redact } from '../../source/environment/redact.ts';
import { subject } from './requiredBy.ts';
import type { RequirementSet } from './requirements.ts';
import { NAME } from './uvSentences.ts';

const FAILED = new RegExp(
  `Failed to download(?: and build)? \`${NAME}[^\`]* @ (https?://[^\`]+)\` cause: (?:Request failed|Failed to fetch)`,
);
const STATUS = /HTTP status (?:client|server) error \((\d+)/;

/** The error for a file that cannot be downloaded from its own address; null if uv failed for another reason. */
export function addressError(stderr: string, set: RequirementSet): ToolkitError | null {
  const said = redact(stderr).trim();
  const flat = said.replaceAll(/\s+/g, ' ');
  const [, name, address] = FAILED.exec(flat) ?? [];
  if (name === undefined || address === undefined) return null;
  const status = STATUS.exec(flat)?.[1];
  const why = status ? `the server returned ${status}` : 'the server cannot be reached';
  const hint =
    status === undefined
      ? 'Check your network and the address, and build again.'
      : status === '401' || status === '403'
        ? 'Check the credentials of this server, for example in ~/.netrc.'
        : 'Check the address.';
  return new ToolkitError(
    'DOWNLOAD_FAILED',
    `${subject(name, set)} could not be downloaded from ${new URL(address).host}: ${why}.`,
    { hint, cause: new Error(said.slice(0, 4_000)) },
  );
}
