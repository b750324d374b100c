/** A failed download → one sentence with a hint: a refused login, a server that cannot be reached, a missing file. */
import { ToolkitError } from '../../contract/errors.ts';
import { systemCode } from '../fileErrors.ts';
import type { LockedPackage } from './lock.ts';

/** A failure that another attempt would not change. */
export class Refused extends Error {}

/** A server that requires other credentials. */
export class AccessDenied extends Refused {}

/** A file of this machine that was moved or deleted. */
export class FileMissing extends Refused {}

/** What the codes of failed connections mean. */
const CAUSES: Readonly<Record<string, string>> = {
  EAI_AGAIN: 'the host name cannot be resolved',
  ENOTFOUND: 'the host name cannot be resolved',
  ECONNREFUSED: 'the server refused the connection',
  ECONNRESET: 'the server closed the connection',
  UND_ERR_SOCKET: 'the server closed the connection',
  EHOSTUNREACH: 'the server cannot be reached',
  ENETUNREACH: 'the server cannot be reached',
  ETIMEDOUT: 'the server does not respond',
  UND_ERR_CONNECT_TIMEOUT: 'the server does not respond',
  UND_ERR_HEADERS_TIMEOUT: 'the server does not respond',
  UND_ERR_BODY_TIMEOUT: 'the server does not respond',
};

/** The error for a download that failed. */
export function downloadError(wheel: LockedPackage, error: unknown): ToolkitError {
  if (error instanceof FileMissing) {
    return new ToolkitError('DOWNLOAD_FAILED', `${called(wheel)} cannot be read: ${error.message}.`, {
      hint: 'Put the file back, or update the lock with "toolkit build --upgrade".',
      cause: error,
    });
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const hint =
    error instanceof AccessDenied
      ? 'Check the credentials of its package index in the configuration of pip or uv.'
      : error instanceof Refused
        ? 'If the file was removed from the server, update the lock with "toolkit build --upgrade".'
        : 'Check your network and build again. Downloads resume where they stopped.';
  return new ToolkitError(
    'DOWNLOAD_FAILED',
    `${called(wheel)} could not be downloaded from ${host(wheel.url)}: ${inWords(cause)}.`,
    { hint, cause: error },
  );
}

/** The error for bytes with another hash. */
export function notLocked(wheel: LockedPackage): ToolkitError {
  return new ToolkitError(
    'DOWNLOAD_FAILED',
    `${called(wheel)} from ${host(wheel.url)} is not the locked file: its sha256 does not match.`,
    { hint: 'Build again. If this error persists, update the lock with "toolkit build --upgrade".' },
  );
}

function inWords(cause: unknown): string {
  return cause instanceof Error ? (CAUSES[systemCode(cause) ?? ''] ?? cause.message) : String(cause);
}

function called({ name, version, isSource }: LockedPackage): string {
  return `The ${isSource ? 'source distribution' : 'wheel'} of ${name} ${version}`;
}

function host(url: string): string {
  const { host: name, pathname } = new URL(url);
  return name || pathname;
}
