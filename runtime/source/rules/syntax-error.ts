/** Text that is no Python, where it matters to declarations. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { SyntaxFault } from '../syntax/findFault.ts';
import { finding } from './rule.ts';

/** The fault of one file. Alone of all rules it holds for files that only mention the words of a declaration. */
export function syntaxError(file: string, fault: SyntaxFault | null): Diagnostic[] {
  if (!fault) return [];
  return [finding('syntax-error', { file, range: fault.range, message: fault.message, fix: fault.fix })];
}
