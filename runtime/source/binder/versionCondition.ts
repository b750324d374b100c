/**
 * A comparison with `sys.version_info` → the Python versions for which it may be true, and for which it may
 * be false.
 */
import { type BranchGuards, versionGuard } from './reach.ts';

/** Operators → whether they hold for an order of two values: below, at or above 0. */
const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
};

/**
 * The guards of a comparison; null if it does not compare versions.
 *
 * @param part - The part of `sys.version_info` that is compared: one number (`[0]`, `.minor`), or the first
 *   numbers (`[:2]`).
 * @param given - The value that it is compared with.
 */
export function guardsOfVersion(part: string, operator: string, given: unknown): BranchGuards | null {
  const isOneNumber = /^(?:\[\d\]|\.m.*)$/.test(part);
  const numbers = [given].flat().filter((number) => typeof number === 'number');
  const isComparable =
    isOneNumber === (typeof given === 'number') && numbers.length === [given].flat().length;
  const holds = ORDERS[operator];
  if (!isComparable || !holds) return null;
  const orders = (minor: number) => ordersOfVersion(partOfVersion(part, minor), numbers);
  return {
    first: versionGuard((minor) => orders(minor).some(holds)),
    others: versionGuard((minor) => orders(minor).some((order) => !holds(order))),
  };
}

/** The numbers in a part of `sys.version_info`; null for numbers that the project does not decide. */
function partOfVersion(part: string, minor: number): (number | null)[] {
  if (/\[0\]|major/.test(part)) return [3];
  if (/\[1\]|minor/.test(part)) return [minor];
  const length = /:(\d)/.exec(part)?.[1] ?? 5;
  return [3, minor, null, null, null].slice(0, Number(length));
}

/** The possible orders of a version and other numbers, compared like Python compares tuples. */
function ordersOfVersion(version: readonly (number | null)[], given: readonly number[]): number[] {
  for (const [at, number] of given.entries()) {
    const own = version[at];
    if (own === null) return [-1, 0, 1];
    if (own === undefined || own < number) return [-1];
    if (own > number) return [1];
  }
  return [version.length > given.length ? 1 : 0];
}
