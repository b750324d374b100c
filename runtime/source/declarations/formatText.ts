/**
 * Constants → the texts that `str`, `repr`, `%`, `.format` and f-strings produce; dynamic in case of doubt.
 */
import { type Constant, DYNAMIC, entryOf } from './Constant.ts';

/** The format of a value. */
interface Layout {
  fill: string;
  align: '<' | '>' | '^' | '';
  zeros: boolean;
  width: number;
  precision: number | null;
  type: string;
}

/** The longest text that padding can produce. */
const MAX_WIDTH = 10_000;
const SPEC = /^(?:(.)?([<>^]))?(0)?(\d+)?(?:\.(\d+))?([sdf])?$/u;
const FIELD = /\{\{|\}\}|\{(\w*)(?:!([rs]))?(?::([^{}]*))?\}|[{}]/g;
const PERCENT = /%(?:\(([^()]*)\))?([-0]*)(\d+)?(?:\.(\d+))?([a-zA-Z%])|%/g;

/** The result of `str()` on a constant; null when it is not certain. */
export function textOf(constant: Constant): string | null {
  if (constant.of && !constant.of.isText) return null;
  switch (constant.type) {
    case 'string':
      return constant.value;
    case 'integer':
      return String(constant.value);
    case 'float':
      return floatText(constant.value);
    case 'boolean':
      return constant.value ? 'True' : 'False';
    case 'none':
      return 'None';
    default:
      return null;
  }
}

/** `{value!conversion:spec}` of an f-string or of `str.format`. */
export function formatField(constant: Constant, conversion: string, spec: string): string | null {
  const value = conversion === '' ? constant : asString(convert(constant, conversion));
  const layout = readSpec(spec);
  return layout ? layOut(value, layout) : null;
}

/** `template.format(…)`. */
export function formatBraces(
  template: string,
  positional: readonly Constant[],
  keywords: ReadonlyMap<string, Constant>,
): Constant {
  let automatic = 0;
  const given = [...template.matchAll(FIELD)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  // Python rejects a mix of numbered and unnumbered fields.
  if (given.some((name) => name === '') && given.some((name) => /^\d/.test(name))) return DYNAMIC;
  return replaceAll(template, FIELD, (whole, name, conversion = '', spec = '') => {
    if (whole === '{{' || whole === '}}') return whole[0]!;
    if (name === undefined) return null;
    const isPosition = name === '' || /^\d+$/.test(name);
    const value = isPosition ? positional[name === '' ? automatic++ : Number(name)] : keywords.get(name);
    return value ? formatField(value, conversion, spec) : null;
  });
}

/** `template % values`. */
export function formatPercent(template: string, values: Constant): Constant {
  const waiting = values.type === 'tuple' ? [...values.items] : [values];
  let isNamed = false;
  const made = replaceAll(template, PERCENT, (whole, name, flags = '', width = '0', precision, type) => {
    if (whole === '%%') return '%';
    if (name !== undefined) isNamed = true;
    if (name !== undefined && values.type !== 'dict') return null;
    const value =
      name !== undefined && values.type === 'dict'
        ? entryOf(values, { type: 'string', value: name })
        : waiting.shift();
    if (!value || type === undefined || !'sdirf'.includes(type)) return null;
    const isNumber = !'sr'.includes(type);
    return layOut(isNumber ? numberFor(value, type) : asString(convert(value, type)), {
      fill: ' ',
      align: flags.includes('-') ? '<' : '>',
      zeros: isNumber && flags.includes('0') && !flags.includes('-'),
      width: Number(width),
      precision: precision === undefined ? null : Number(precision),
      type: type === 'f' ? 'f' : '',
    });
  });
  const isSpent = waiting.length === 0 || isNamed || values.type === 'dict';
  return isSpent ? made : DYNAMIC;
}

/** Dynamic if any replacement is null. */
function replaceAll(
  template: string,
  pattern: RegExp,
  replace: (...groups: (string | undefined)[]) => string | null,
): Constant {
  let isKnown = true;
  const value = template.replace(pattern, (...found: unknown[]) => {
    const text = replace(...(found as (string | undefined)[]));
    isKnown &&= text !== null;
    return text ?? '';
  });
  return isKnown ? { type: 'string', value } : DYNAMIC;
}

function asString(value: string | null): Constant {
  return value === null ? DYNAMIC : { type: 'string', value };
}

function convert(constant: Constant, conversion: string): string | null {
  if (conversion === 's') return textOf(constant);
  if (conversion !== 'r' || constant.of) return null;
  return constant.type === 'string' ? quoted(constant.value) : textOf(constant);
}

/** `%d` truncates a float, and `%f` accepts an integer. */
function numberFor(constant: Constant, type: string): Constant {
  if (constant.type !== 'integer' && constant.type !== 'float') return DYNAMIC;
  if (type === 'f') return { type: 'float', value: constant.value };
  const value = Math.trunc(constant.value) + 0;
  return Number.isSafeInteger(value) ? { type: 'integer', value } : DYNAMIC;
}

/**
 * Which characters `repr` escapes depends on Python's own tables, so the result is certain only for plain
 * characters.
 */
function quoted(text: string): string | null {
  if (!/^[ -[\]-~]*$/.test(text)) return null;
  if (!text.includes("'")) return `'${text}'`;
  return text.includes('"') ? null : `"${text}"`;
}

function readSpec(spec: string): Layout | null {
  const [whole, fill = ' ', align = '', zero, width = '0', precision, type = ''] = SPEC.exec(spec) ?? [];
  if (whole === undefined || (zero !== undefined && align !== '')) return null;
  return {
    fill,
    align: align as Layout['align'],
    zeros: zero !== undefined,
    width: Number(width),
    precision: precision === undefined ? null : Number(precision),
    type,
  };
}

function layOut(value: Constant, layout: Layout): string | null {
  const { fill, align, zeros, width, precision, type } = layout;
  const isBare = width === 0 && precision === null && type === '' && !zeros;
  if (isBare) return textOf(value);
  // The format of an enum member depends on the version of Python, unless it is formatted as an integer.
  if ((value.of && type !== 'd') || width > MAX_WIDTH) return null;
  let text: string | null;
  if (value.type === 'string') {
    if (zeros || (type !== '' && type !== 's')) return null;
    text = precision === null ? value.value : [...value.value].slice(0, precision).join('');
  } else if (value.type === 'integer' || value.type === 'float') {
    text = digitsOf(value, layout);
  } else {
    return null;
  }
  if (text === null) return null;
  const missing = Math.max(0, width - [...text].length);
  if (zeros) return text.replace(/^-?/, (sign) => sign + '0'.repeat(missing));
  const side = align || (value.type === 'string' ? '<' : '>');
  const before = side === '<' ? 0 : side === '>' ? missing : Math.floor(missing / 2);
  return fill.repeat(before) + text + fill.repeat(missing - before);
}

function digitsOf(
  value: Extract<Constant, { type: 'integer' | 'float' }>,
  { precision, type }: Layout,
): string | null {
  if (type === 'f') return fixed(value.value, precision ?? 6);
  if (type === 's' || precision !== null || (type === 'd' && value.type === 'float')) return null;
  return textOf(value);
}

/** JavaScript rounds a tie up and Python rounds it to even, so the result of a tie is not certain. */
function fixed(value: number, precision: number): string | null {
  if (Math.abs(value) >= 1e20 || precision > 50) return null;
  const beyond = value.toFixed(precision + 50).slice(-50);
  if (/^50*$/.test(beyond)) return null;
  const text = Math.abs(value).toFixed(precision);
  return value < 0 || Object.is(value, -0) ? `-${text}` : text;
}

/** `repr` of a float: the shortest digits, with an exponent below 1e-4 and from 1e16 on. */
function floatText(value: number): string {
  const [digits, exponent] = Math.abs(value).toExponential().split('e') as [string, string];
  const power = Number(exponent);
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (power < -4 || power >= 16)
    return `${sign}${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  const decimals = Math.max(0, digits.length - 2) - power;
  return sign + Math.abs(value).toFixed(Math.max(1, decimals));
}
