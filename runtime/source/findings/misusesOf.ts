/** The misuses of `Endpoint` that the index holds → findings of one code. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { Misuse } from '../declarations/findMisuses.ts';
import type { FileIndex } from './FileIndex.ts';
import { finding } from './Finding.ts';

export function misusesOf({ misuses }: FileIndex, wanted: Misuse['code']): Diagnostic[] {
  return misuses.flatMap(({ code, ...text }) => (code === wanted ? [finding(code, text)] : []));
}
