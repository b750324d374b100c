/** Mutants that no test can notice, because they change no behaviour. Each has its reason. They do not count. */
import type { PlacedMutant } from './rooms.ts';

/** The file, its line without indentation, the mutant, and why it makes no difference. */
const NO_DIFFERENCE: [file: string, code: string, what: string, why: string][] = [];

/** Null for a mutant that a test can notice. */
export function whyNoDifference({ file, code, what }: PlacedMutant): string | null {
  return NO_DIFFERENCE.find((one) => one[0] === file && one[1] === code && one[2] === what)?.[3] ?? null;
}
