/** Confirmation of a removal: by flag, or by a prompt on a terminal. */
import { ToolkitError } from '../contract/errors.ts';
import type { Session } from './session.ts';

/**
 * Asks for confirmation before something is removed.
 *
 * @param what What would be removed, as it reads in a sentence: `gpu_worker from shop/production`.
 * @throws ToolkitError CONFIRMATION_NEEDED if it is not confirmed.
 */
export async function requireConsent(
  session: Session,
  flags: Record<string, unknown>,
  what: string,
): Promise<void> {
  if (flags['yes'] === true) return;
  if (await session.confirm?.(`Remove ${what}?`)) return;
  throw new ToolkitError('CONFIRMATION_NEEDED', `This would remove ${what}; nothing was changed.`, {
    hint: 'Add --yes to confirm.',
  });
}
