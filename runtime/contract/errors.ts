/**
 * The closed table of error codes and the only error class. Anything else that is thrown is a bug in the
 * toolkit. A message is a full sentence that names the location. The hint says what to do next.
 */

/**
 * Code → HTTP status, and exit code of the CLI: 1 the user can fix it, 2 usage, 70 a bug in the toolkit, 130
 * interrupted.
 */
export const ERROR_CODES = {
  // usage
  USAGE: { exit: 2, status: 400 },
  NODE_TOO_OLD: { exit: 2, status: 500 },
  INTERRUPTED: { exit: 130, status: 499 },
  // project
  PROJECT_NOT_FOUND: { exit: 1, status: 400 },
  PROJECT_CONFIG: { exit: 1, status: 400 },
  PROJECT_HAS_ERRORS: { exit: 1, status: 400 },
  NO_ENDPOINTS: { exit: 1, status: 400 },
  FILES_EXIST: { exit: 1, status: 409 },
  CONFIRMATION_NEEDED: { exit: 1, status: 409 },
  NOT_WRITABLE: { exit: 1, status: 500 },
  DISK_FULL: { exit: 1, status: 507 },
  // build
  PYTHON_NOT_FOUND: { exit: 1, status: 400 },
  INSTALLER_MISSING: { exit: 1, status: 500 },
  REQUIREMENT_INVALID: { exit: 1, status: 400 },
  DEPENDENCY_UNRESOLVED: { exit: 1, status: 400 },
  DEPENDENCY_NO_WHEEL: { exit: 1, status: 400 },
  DEPENDENCY_CONFLICT: { exit: 1, status: 400 },
  DOWNLOAD_FAILED: { exit: 1, status: 502 },
  WHEEL_INVALID: { exit: 1, status: 400 },
  ARTIFACT_TOO_LARGE: { exit: 1, status: 413 },
  SHIPPED_NAME_CLASH: { exit: 1, status: 400 },
  // account and platform
  KEY_MISSING: { exit: 1, status: 401 },
  KEY_REJECTED: { exit: 1, status: 401 },
  KEY_WITHHELD: { exit: 1, status: 401 },
  PLATFORM_UNREACHABLE: { exit: 1, status: 503 },
  PLATFORM_START_FAILED: { exit: 1, status: 503 },
  PLATFORM_NOT_RUNNING: { exit: 1, status: 503 },
  PLATFORM_NEWER: { exit: 1, status: 409 },
  PLATFORM_FAILED: { exit: 1, status: 502 },
  PORT_IN_USE: { exit: 1, status: 409 },
  // deploy
  QUOTA_EXCEEDED: { exit: 1, status: 409 },
  SETTING_UNSUPPORTED: { exit: 1, status: 422 },
  PYTHON_UNSUPPORTED: { exit: 1, status: 422 },
  ENV_MISSING: { exit: 1, status: 400 },
  MANIFEST_INVALID: { exit: 1, status: 400 },
  PART_MISSING: { exit: 1, status: 409 },
  UPLOAD_REJECTED: { exit: 1, status: 422 },
  APP_NOT_FOUND: { exit: 1, status: 404 },
  ENVIRONMENT_NOT_FOUND: { exit: 1, status: 404 },
  DEPLOY_CONFLICT: { exit: 1, status: 409 },
  ROLLOUT_FAILED: { exit: 1, status: 500 },
  // calls
  ENDPOINT_NOT_FOUND: { exit: 1, status: 404 },
  ROUTE_NOT_FOUND: { exit: 1, status: 404 },
  CALL_TIMEOUT: { exit: 1, status: 504 },
  CALL_FAILED: { exit: 1, status: 502 },
  // HTTP surface
  BAD_REQUEST: { exit: 1, status: 400 },
  UNAUTHORIZED: { exit: 1, status: 401 },
  FORBIDDEN: { exit: 1, status: 403 },
  NOT_FOUND: { exit: 1, status: 404 },
  METHOD_NOT_ALLOWED: { exit: 1, status: 405 },
  CONFLICT: { exit: 1, status: 409 },
  PAYLOAD_TOO_LARGE: { exit: 1, status: 413 },
  UNSUPPORTED_MEDIA_TYPE: { exit: 1, status: 415 },
  VALIDATION_ERROR: { exit: 1, status: 422 },
  RATE_LIMITED: { exit: 1, status: 429 },
  QUEUE_FULL: { exit: 1, status: 429 },
  FUNCTION_ERROR: { exit: 1, status: 500 },
  FUNCTION_TIMEOUT: { exit: 1, status: 504 },
  DRAINING: { exit: 1, status: 503 },
  NO_WORKERS: { exit: 1, status: 503 },
  STORAGE_FULL: { exit: 1, status: 507 },
  // bugs in the toolkit
  INTERNAL: { exit: 70, status: 500 },
} as const satisfies Record<string, { exit: 1 | 2 | 70 | 130; status: number }>;

/** A code of the closed table. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** An error in `--json` documents and IPC. Over HTTP, `message` is named `error`. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  hint: string | null;
}

/** An error that is not a bug in the toolkit. */
export class ToolkitError extends Error {
  override readonly name = 'ToolkitError';
  readonly code: ErrorCode;
  /** What to do next; null if the message says it. */
  readonly hint: string | null;

  constructor(code: ErrorCode, message: string, options: { hint?: string | null; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? null;
  }

  /** The process's exit code for this error. */
  get exitCode(): number {
    return ERROR_CODES[this.code].exit;
  }

  /** The HTTP status for this error. */
  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  /** The error document of the CLI: `{ code, message, hint }`. */
  toBody(): ErrorBody {
    return { code: this.code, message: this.message, hint: this.hint };
  }

  /** The HTTP body: `{ error, code, hint }`. */
  toHttp(): { error: string; code: ErrorCode; hint: string | null } {
    return { error: this.message, code: this.code, hint: this.hint };
  }
}

/** Whether a value from outside is an error code. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERROR_CODES, code);
}
