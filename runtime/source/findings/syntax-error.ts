/** Text that is no Python, where it matters to declarations. */
import type { SyntaxFault } from '../syntax/findFault.ts';
import { finding, type Rule } from './Finding.ts';

/** Of files that say the words of a declaration, and of those that add a route to a known instance. */
export const syntaxError: Rule = (index) => {
  const { file, mentions, declarations } = index;
  const matters = mentions || declarations.some(({ routes }) => routes.some((route) => route.file === file));
  const fault = matters ? index.facts?.fault : null;
  return fault ? [syntaxFinding(file, fault)] : [];
};

/** The fault of one file. */
export function syntaxFinding(file: string, { range, message, fix }: SyntaxFault) {
  return finding('syntax-error', { file, range, message, fix });
}
