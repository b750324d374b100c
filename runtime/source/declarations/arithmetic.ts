/**
 * Operators on constants, with Python's results. The result is dynamic if Python raises an error or a double
 * cannot hold the value exactly.
 */
import type { Operator } from '../binder/Expression.ts';
import { type Constant, DYNAMIC, dictOf, weightOf } from './Constant.ts';
import { formatPercent } from './formatText.ts';

type Numeric = { type: 'integer' | 'float'; value: number };

/** The maximum weight of a repeated text or list. */
const MAX_WEIGHT = 20_000;
/** With a larger exponent, any base of two or more exceeds the safe integers. */
const MAX_EXPONENT = 53;

/** The result of an operator on two constants. */
export function operate(operator: Operator, left: Constant, right: Constant): Constant {
  const numbers = [numberOf(left), numberOf(right)] as const;
  if (numbers[0] && numbers[1]) return calculate(operator, numbers[0], numbers[1]);
  if (operator === '+') return concatenate(left, right);
  if (operator === '*') return numbers[0] ? repeat(right, numbers[0]) : repeat(left, numbers[1]);
  if (operator === '%' && left.type === 'string') return formatPercent(left.value, right);
  return operator === '|' && left.type === 'dict' && right.type === 'dict'
    ? dictOf([...left.entries, ...right.entries])
    : DYNAMIC;
}

/** `-value` and `+value`. */
export function applySign(sign: '-' | '+', constant: Constant): Constant {
  const number = numberOf(constant);
  return number ? numeric(number.type, sign === '-' ? -number.value : number.value) : DYNAMIC;
}

/** The number in a constant, including True and False; null if it is not a number. */
export function numberOf(constant: Constant): Numeric | null {
  if (constant.type === 'integer' || constant.type === 'float') return constant;
  return constant.type === 'boolean' ? { type: 'integer', value: Number(constant.value) } : null;
}

function calculate(operator: Operator, left: Numeric, right: Numeric): Constant {
  const type = left.type === 'integer' && right.type === 'integer' ? 'integer' : 'float';
  const [a, b] = [left.value, right.value];
  if (b === 0 && (operator === '/' || operator === '//' || operator === '%')) return DYNAMIC;
  switch (operator) {
    case '+':
      return numeric(type, a + b);
    case '-':
      return numeric(type, a - b);
    case '*':
      return numeric(type, a * b);
    case '/':
      return numeric('float', a / b);
    case '//':
      return type === 'integer' ? numeric(type, floorDivide(a, b)) : numeric(type, floorDivideFloats(a, b));
    case '%':
      return numeric(type, modulo(a, b));
    case '**':
      return power(type, a, b);
    default:
      return DYNAMIC;
  }
}

function numeric(type: Numeric['type'], value: number): Constant {
  if (type === 'float') return Number.isFinite(value) ? { type, value } : DYNAMIC;
  // An integer has no negative zero.
  return Number.isSafeInteger(value) ? { type, value: value + 0 } : DYNAMIC;
}

/** Python's remainder has the sign of the divisor, even if the remainder is zero. */
function modulo(a: number, b: number): number {
  const rest = a % b;
  if (rest === 0) return b < 0 ? -0 : 0;
  return rest < 0 === b < 0 ? rest : rest + b;
}

/** Divides an exact multiple, so the result is exact; NaN if the multiple is not a safe integer. */
function floorDivide(a: number, b: number): number {
  const multiple = a - modulo(a, b);
  return Number.isSafeInteger(multiple) ? multiple / b : Number.NaN;
}

/** Floor division of floats, as CPython computes it. */
function floorDivideFloats(a: number, b: number): number {
  const rest = a % b;
  const quotient = (a - rest) / b - (rest !== 0 && rest < 0 !== b < 0 ? 1 : 0);
  if (quotient === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

/**
 * Dynamic for most floats: their powers depend on the platform's math library unless base and exponent are
 * whole.
 */
function power(type: Numeric['type'], base: number, exponent: number): Constant {
  if (!Number.isSafeInteger(base) || !Number.isSafeInteger(exponent)) return DYNAMIC;
  if (exponent < 0 || (exponent > MAX_EXPONENT && Math.abs(base) > 1) || Object.is(base, -0)) return DYNAMIC;
  const reduced = Math.abs(base) > 1 ? exponent : Math.min(exponent, 2 - (exponent % 2));
  const value = Number(BigInt(base) ** BigInt(reduced));
  return Number.isSafeInteger(value) ? numeric(type, value) : DYNAMIC;
}

function concatenate(left: Constant, right: Constant): Constant {
  if (left.type === 'string' && right.type === 'string')
    return { type: 'string', value: left.value + right.value };
  if ((left.type === 'list' && right.type === 'list') || (left.type === 'tuple' && right.type === 'tuple'))
    return { type: left.type, items: [...left.items, ...right.items] };
  return DYNAMIC;
}

function repeat(repeated: Constant, times: Numeric | null): Constant {
  if (times?.type !== 'integer') return DYNAMIC;
  const count = Math.max(0, times.value);
  if (weightOf(repeated) * count > MAX_WEIGHT) return DYNAMIC;
  if (repeated.type === 'string') return { type: 'string', value: repeated.value.repeat(count) };
  if (repeated.type !== 'list' && repeated.type !== 'tuple') return DYNAMIC;
  return { type: repeated.type, items: Array.from({ length: count }, () => repeated.items).flat() };
}
