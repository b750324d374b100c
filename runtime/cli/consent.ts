/** The yes that a removal needs: from a flag, or from somebody on a terminal. */
import { ToolkitError } from '../contract/errors.ts';
import type { Session } from './session.ts';

/**
 * Asks before something is removed.
 *
 * @param what What would be removed, as a part of a sentence: `gpu_worker from shop/production`.
 * @throws ToolkitError CONFIRMATION_NEEDED without a yes.
 */
export async function requireConsent(
  session: Session,
  flags: Record<string, unknown>,
  what: string,
): Promise<void> {
  if (flags['yes'] === true) return;
  if (await session.confirm?.(`Remove ${what}?`)) return;
  throw new ToolkitError('CONFIRMATION_NEEDED', `This would remove ${what}; nothing was changed.`, {
    hint: 'Add --yes if that is what you want.',
  });
}
