/** The whole number that a number or a text certainly means. */
import type { Constant } from '../declarations/Constant.ts';

export function wholeNumber(constant: Constant): number | null {
  if (constant.type === 'integer') return constant.value;
  if (constant.type === 'float') return Number.isInteger(constant.value) ? constant.value : null;
  if (constant.type !== 'string' || !/^\s*-?\d{1,9}\s*$/.test(constant.value)) return null;
  return Number(constant.value);
}
