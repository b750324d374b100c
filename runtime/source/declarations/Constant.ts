/** The results of constant folding, and operations on them. */

/** The enums of toolkit_sdk whose members can be arguments. */
export type EnumName = 'GpuGroup' | 'GpuType' | 'CpuInstanceType';

/** A member of one of the project's own enums. */
interface EnumMember {
  /** Null if an earlier member may have the same value, because Python then uses that member's name. */
  name: string | null;
  value: Constant;
  /** Whether `str()` of the member is its value in every version of Python. */
  isText: boolean;
}

export interface Entry {
  key: Constant;
  value: Constant;
}

type Plain =
  | { type: 'string'; value: string }
  | { type: 'integer'; value: number }
  | { type: 'float'; value: number }
  | { type: 'boolean'; value: boolean }
  | { type: 'none' }
  /** No argument takes bytes, so the value does not matter. */
  | { type: 'bytes' }
  | { type: 'list' | 'tuple' | 'set'; items: Constant[] }
  | { type: 'dict'; entries: Entry[] }
  | { type: 'member'; enum: EnumName; member: string }
  /** Read from the environment at deploy. */
  | { type: 'environment'; name: string; default: string | null }
  | { type: 'dynamic' };

/**
 * `of`: the enum member that the constant is. A member folds to its value only if the member itself is a
 * string or integer.
 */
export type Constant = Plain & { of?: EnumMember };

export const DYNAMIC: Constant = { type: 'dynamic' };

/** Number of characters that weigh as much as one value. */
const WEIGHT_CHARACTERS = 64;

/** Whether any part of a constant is dynamic. */
export function isDynamic(constant: Constant): boolean {
  if (isSequence(constant)) return constant.items.some(isDynamic);
  if (constant.type === 'dict')
    return constant.entries.some(({ key, value }) => isDynamic(key) || isDynamic(value));
  return constant.type === 'dynamic';
}

/**
 * The constant, with reads from the environment replaced by dynamic, for arguments that are not filled in at
 * deploy.
 */
export function unfilled(constant: Constant): Constant {
  if (constant.type === 'environment') return DYNAMIC;
  return isSequence(constant) ? { type: constant.type, items: constant.items.map(unfilled) } : constant;
}

/** The number of values in a constant; a long text counts as several. */
export function weightOf(constant: Constant): number {
  if (constant.type === 'string') return 1 + constant.value.length / WEIGHT_CHARACTERS;
  if (isSequence(constant)) return constant.items.reduce((sum, item) => sum + weightOf(item), 1);
  if (constant.type !== 'dict') return 1;
  return constant.entries.reduce((sum, { key, value }) => sum + weightOf(key) + weightOf(value), 1);
}

/**
 * A dict with these entries. A later entry replaces an earlier one with an equal key. Dynamic if a key is a
 * collection.
 */
export function dictOf(entries: readonly Entry[]): Constant {
  const found = new Map<unknown, Entry>();
  for (const { key, value } of entries) {
    if (key.type === 'dict' || isSequence(key)) return DYNAMIC;
    const id = identityOf(key) ?? key;
    found.set(id, { key: found.get(id)?.key ?? key, value });
  }
  return { type: 'dict', entries: [...found.values()] };
}

/** The value of a dict at a key; dynamic if an unknown key of the dict might equal it. */
export function entryOf({ entries }: Extract<Constant, { type: 'dict' }>, key: Constant): Constant {
  const wanted = identityOf(key);
  if (wanted === null || entries.some((entry) => identityOf(entry.key) === null)) return DYNAMIC;
  return entries.find((entry) => identityOf(entry.key) === wanted)?.value ?? DYNAMIC;
}

/** Equal for keys that are equal in Python, such as 1, 1.0 and True; null if that cannot be known. */
function identityOf(key: Constant): string | null {
  if (key.type === 'string') return `"${key.value}`;
  if (key.type === 'integer' || key.type === 'float' || key.type === 'boolean')
    return String(Number(key.value));
  return key.type === 'none' ? key.type : null;
}

function isSequence(constant: Constant): constant is Extract<Constant, { items: Constant[] }> {
  return constant.type === 'list' || constant.type === 'tuple' || constant.type === 'set';
}
