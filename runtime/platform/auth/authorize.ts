/** Turns a request's Authorization header into a principal, and checks what a principal is allowed to do. */
import type { IncomingMessage } from 'node:http';
import type { KeyScope } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { FailedKeys } from './failedKeys.ts';
import type { Keys, Principal } from './keys.ts';

/** An error that also says when to retry. */
export class RetryLater extends ToolkitError {
  /** Seconds. */
  readonly retryAfter: number;

  constructor(error: ToolkitError, retryAfter: number) {
    super(error.code, error.message, { hint: error.hint });
    this.retryAfter = retryAfter;
  }
}

const ORDER: Record<KeyScope, number> = { invoke: 0, deploy: 1, owner: 2 };

export class Authorizer {
  readonly #keys: Keys;
  readonly #failed = new FailedKeys();

  constructor(keys: Keys) {
    this.#keys = keys;
  }

  /**
   * The sender of a request, from `Authorization: Bearer KEY` or the raw key.
   *
   * @throws ToolkitError UNAUTHORIZED without a key, KEY_REJECTED for a wrong key, RATE_LIMITED after many
   * wrong keys.
   */
  principal(request: IncomingMessage): Principal {
    const key = presentedKey(request);
    if (key === null) {
      throw new ToolkitError('UNAUTHORIZED', 'This request carries no key.', {
        hint: 'Send the header "Authorization: Bearer <key>". "toolkit platform key" prints the key of the embedded platform.',
      });
    }
    const principal = this.#keys.verify(key);
    if (principal) return principal;
    const wait = this.#failed.note();
    if (wait > 0) {
      throw new RetryLater(
        new ToolkitError('RATE_LIMITED', 'Too many wrong keys were sent to this platform.', {
          hint: `Wait ${wait} s, then send the right key. "toolkit platform key" prints the key of the embedded platform.`,
        }),
        wait,
      );
    }
    throw new ToolkitError('KEY_REJECTED', 'This key does not belong to this platform.', {
      hint: 'Check PLATFORM_API_KEY. "toolkit platform key" prints the key of the embedded platform.',
    });
  }
}

/** The key of a request; null if it has none. */
export function presentedKey(request: IncomingMessage): string | null {
  const header = request.headers.authorization?.trim() ?? '';
  const key = /^bearer(\s|$)/i.test(header) ? header.slice('bearer'.length).trim() : header;
  return key === '' ? null : key;
}

/** @throws ToolkitError FORBIDDEN when the key's scope is not sufficient. */
export function requireScope(principal: Principal, scope: KeyScope): void {
  if (ORDER[principal.scope] >= ORDER[scope]) return;
  throw new ToolkitError(
    'FORBIDDEN',
    `This key has the scope "${principal.scope}", but this request needs "${scope}".`,
    {
      hint: 'Use a key with that scope. "toolkit platform key" prints the owner key of the embedded platform.',
    },
  );
}

/** Whether a key is allowed to call or look up an endpoint. */
export function mayInvoke(
  principal: Principal,
  endpoint: { id: string; name: string; app: string; environment: string; run: string | null },
): boolean {
  const { endpoints, within } = principal;
  const isWithin = ({ app, environment, run }: NonNullable<typeof within>) =>
    app === endpoint.app && environment === endpoint.environment && run === endpoint.run;
  if (within && !isWithin(within)) return false;
  return endpoints === null || endpoints.includes(endpoint.name) || endpoints.includes(endpoint.id);
}

/** @throws ToolkitError KEY_REJECTED when the key is limited to other endpoints. */
export function requireInvoke(principal: Principal, endpoint: Parameters<typeof mayInvoke>[1]): void {
  if (mayInvoke(principal, endpoint)) return;
  throw new ToolkitError(
    'KEY_REJECTED',
    `This key is valid only for other endpoints, not for "${endpoint.name}".`,
    {
      hint: 'Use a key for this endpoint, or one that is not restricted to certain endpoints.',
    },
  );
}
