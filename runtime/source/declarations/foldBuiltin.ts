/**
 * Folds calls of Python's builtins on constants, with Python's results. The result is dynamic in case of
 * doubt.
 */
import { numberOf } from './arithmetic.ts';
import { type Constant, DYNAMIC, dictOf, type Entry, isDynamic } from './Constant.ts';
import { formatBraces, textOf } from './formatText.ts';

/** The arguments of a call, with spreads expanded. */
export interface GivenValues {
  positional: Constant[];
  keywords: Map<string, Constant>;
}

const INTEGER = /^[ \t\n\r]*[+-]?\d+(?:_\d+)*[ \t\n\r]*$/;

/** Folds a method call on a constant. */
export function foldMethod(object: Constant, name: string, given: GivenValues): Constant {
  return object.type === 'string' && name === 'format'
    ? formatBraces(object.value, given.positional, given.keywords)
    : DYNAMIC;
}

/** Folds a call of a builtin. */
export function foldBuiltin(name: string, { positional, keywords }: GivenValues): Constant {
  const [first] = positional;
  if (name === 'dict') return makeDict(positional, keywords);
  if (keywords.size > 0) return DYNAMIC;
  if (name === 'max' || name === 'min') return extreme(name, positional);
  if (positional.length > 1) return DYNAMIC;
  switch (name) {
    case 'str': {
      const text = first ? textOf(first) : '';
      return text === null ? DYNAMIC : { type: 'string', value: text };
    }
    case 'int':
      return first ? toInteger(first) : { type: 'integer', value: 0 };
    case 'list':
    case 'tuple': {
      const items = first ? itemsOf(first) : [];
      return items ? { type: name, items: [...items] } : DYNAMIC;
    }
    case 'len': {
      const items = first && itemsOf(first);
      return items ? { type: 'integer', value: items.length } : DYNAMIC;
    }
    default:
      return DYNAMIC;
  }
}

/**
 * The items that a loop over the constant yields; null if unknown, for example for a set, whose order is not
 * certain.
 */
function itemsOf(constant: Constant): readonly Constant[] | null {
  if (constant.type === 'list' || constant.type === 'tuple') return constant.items;
  if (constant.type === 'string') return [...constant.value].map((value) => ({ type: 'string', value }));
  if (constant.type !== 'dict') return null;
  // Unknown keys may be equal.
  const keys = constant.entries.map(({ key }) => key);
  return keys.some(isDynamic) ? null : keys;
}

function toInteger(constant: Constant): Constant {
  const isWritten = constant.type === 'string' && INTEGER.test(constant.value);
  const number = isWritten ? Number(constant.value.replaceAll('_', '')) : numberOf(constant)?.value;
  const value = Math.trunc(number ?? Number.NaN) + 0;
  return Number.isSafeInteger(value) ? { type: 'integer', value } : DYNAMIC;
}

/** `max(a, b)`, `min([a, b])`: the first of equal values. */
function extreme(name: 'max' | 'min', positional: readonly Constant[]): Constant {
  const [first] = positional;
  const items = positional.length === 1 && first ? itemsOf(first) : positional;
  const ranks = (items ?? []).map(rankOf);
  if (!items || ranks.some((rank) => typeof rank !== typeof ranks[0] || rank === null)) return DYNAMIC;
  let best = 0;
  for (const [at, rank] of ranks.entries())
    if (name === 'max' ? rank! > ranks[best]! : rank! < ranks[best]!) best = at;
  return items[best] ?? DYNAMIC;
}

/** Null for non-ASCII strings: Python compares them by code point, JavaScript does not. */
function rankOf(constant: Constant): number | string | null {
  if (constant.type !== 'string') return numberOf(constant)?.value ?? null;
  // oxlint-disable-next-line no-control-regex
  return /^[\0-\x7f]*$/.test(constant.value) ? constant.value : null;
}

/** `dict(**a, b=1)`, `dict(a)`, `dict([("a", 1)])`. */
function makeDict(positional: readonly Constant[], keywords: ReadonlyMap<string, Constant>): Constant {
  const [first] = positional;
  const entries: Entry[] = [];
  if (positional.length > 1) return DYNAMIC;
  if (first?.type === 'dict') {
    entries.push(...first.entries);
  } else if (first) {
    for (const pair of first.type === 'list' || first.type === 'tuple' ? first.items : [DYNAMIC]) {
      const isPair = (pair.type === 'tuple' || pair.type === 'list') && pair.items.length === 2;
      if (!isPair) return DYNAMIC;
      entries.push({ key: pair.items[0]!, value: pair.items[1]! });
    }
  }
  for (const [key, value] of keywords) entries.push({ key: { type: 'string', value: key }, value });
  return dictOf(entries);
}
