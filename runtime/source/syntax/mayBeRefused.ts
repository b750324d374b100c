import { mayHaveBadForm } from './formFault.ts';
import { mayBeMisordered } from './orderFault.ts';
import { mayBeMisplaced } from './placeFault.ts';

/**
 * Whether a text may contain code that the grammar accepts but Python refuses; false for almost all valid
 * texts. If it is false for a text, it is false for each statement in it.
 */
export function mayBeRefused(text: string): boolean {
  return mayBeMisordered(text) || mayBeMisplaced(text) || mayHaveBadForm(text);
}
