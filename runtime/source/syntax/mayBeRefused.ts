import { mayHaveBadForm } from './formFault.ts';
import { mayBeMisordered } from './orderFault.ts';
import { mayBeMisplaced } from './placeFault.ts';

/**
 * Whether a text may contain what the grammar accepts and Python refuses; false for almost all valid texts. If it is
 * false for a text, it is false for each of its statements.
 */
export function mayBeRefused(text: string): boolean {
  return mayBeMisordered(text) || mayBeMisplaced(text) || mayHaveBadForm(text);
}
