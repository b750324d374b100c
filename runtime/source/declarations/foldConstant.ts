/** Expressions → constants, across files. What only running the code could tell is dynamic, never guessed. */
import type { Expression } from '../binder/Expression.ts';
import type { Entity, NameResolver } from './NameResolver.ts';

/** The enumerations of toolkit_sdk whose members are arguments. */
export type EnumName = 'GpuGroup' | 'GpuType' | 'CpuInstanceType';

export type Constant =
  | { type: 'string'; value: string }
  | { type: 'integer'; value: number }
  | { type: 'float'; value: number }
  | { type: 'boolean'; value: boolean }
  | { type: 'none' }
  | { type: 'list' | 'tuple' | 'set'; items: Constant[] }
  | { type: 'dict'; entries: { key: Constant; value: Constant }[] }
  | { type: 'member'; enum: EnumName; member: string }
  /** Read from the environment of the deploy. */
  | { type: 'environment'; name: string; default: string | null }
  | { type: 'dynamic' };

const DYNAMIC: Constant = { type: 'dynamic' };
const MAX_DEPTH = 60;
/** Steps for one value: constants made of constants twice over would take longer than anybody can wait. */
const MAX_STEPS = 20_000;
/** Characters of a text that count as one step. */
const STEP_CHARACTERS = 64;

/** Where an expression stands. */
export interface Place {
  file: string;
  scope: number;
}

/** What one value has cost so far: `steps` are shared by all of its parts. */
interface Effort {
  depth: number;
  steps: { left: number };
}

/** The constant that an expression is. */
export function foldConstant(
  names: NameResolver,
  expression: Expression,
  place: Place,
  effort: Effort = { depth: 0, steps: { left: MAX_STEPS } },
): Constant {
  const { steps } = effort;
  steps.left -= expression.kind === 'string' ? 1 + expression.value.length / STEP_CHARACTERS : 1;
  if (effort.depth > MAX_DEPTH || steps.left < 0) return DYNAMIC;
  const within: Effort = { depth: effort.depth + 1, steps };
  const fold = (inner: Expression) => foldConstant(names, inner, place, within);
  switch (expression.kind) {
    case 'string':
    case 'boolean':
      return { type: expression.kind, value: expression.value } as Constant;
    case 'number':
      return { type: expression.integer ? 'integer' : 'float', value: expression.value };
    case 'none':
      return { type: 'none' };
    case 'concatenation':
      return joinTexts(expression.parts.map(fold));
    case 'reference':
      return foldReference(names, expression.path, place, within);
    case 'sequence':
      return foldSequence(expression, fold);
    case 'dict':
      return foldDict(expression, fold);
    case 'sum':
      return add(fold(expression.left), fold(expression.right));
    case 'call':
      return foldCall(names, expression, place, fold);
    case 'subscript':
      return foldSubscript(names, expression, place, fold);
    default:
      return DYNAMIC;
  }
}

/** Whether any part of a constant is dynamic. */
export function isDynamic(constant: Constant): boolean {
  if (constant.type === 'list' || constant.type === 'tuple' || constant.type === 'set') {
    return constant.items.some(isDynamic);
  }
  if (constant.type === 'dict')
    return constant.entries.some(({ key, value }) => isDynamic(key) || isDynamic(value));
  return constant.type === 'dynamic';
}

/** The constant where reads from the environment are not filled: they are dynamic like the rest. */
export function unfilled(constant: Constant): Constant {
  if (constant.type === 'environment') return DYNAMIC;
  if (constant.type === 'list' || constant.type === 'tuple' || constant.type === 'set') {
    return { type: constant.type, items: constant.items.map(unfilled) };
  }
  return constant;
}

/** A name that is bound more than once has no one value. */
function foldReference(names: NameResolver, path: readonly string[], place: Place, within: Effort): Constant {
  const entities = names.resolve(place.file, place.scope, path);
  const entity = entities[0];
  if (entities.length !== 1 || !entity) return memberValue(names, path, place) ?? DYNAMIC;
  if (entity.kind === 'sdk') return memberOf(entity.path) ?? DYNAMIC;
  if (entity.kind !== 'value') return memberValue(names, path, place) ?? DYNAMIC;
  return foldConstant(names, entity.expression, { file: entity.file, scope: entity.scope }, within);
}

/** `GpuGroup.ADA_24.value` and `.name`, which are written by users of other enumerations. */
function memberValue(names: NameResolver, path: readonly string[], place: Place): Constant | null {
  if (path.at(-1) !== 'name') return null;
  const entities = names.resolve(place.file, place.scope, path.slice(0, -1));
  const entity = entities.length === 1 ? entities[0]! : null;
  const member = entity?.kind === 'sdk' ? memberOf(entity.path) : null;
  return member?.type === 'member' ? { type: 'string', value: member.member } : null;
}

function memberOf(path: readonly string[]): Constant | null {
  const [owner, member] = path.slice(-2);
  if (member === undefined) return null;
  if (owner !== 'GpuGroup' && owner !== 'GpuType' && owner !== 'CpuInstanceType') return null;
  return { type: 'member', enum: owner, member };
}

function foldSequence(
  expression: Extract<Expression, { kind: 'sequence' }>,
  fold: (inner: Expression) => Constant,
): Constant {
  const items: Constant[] = [];
  for (const item of expression.items) {
    if (item.kind !== 'spread') {
      items.push(fold(item));
      continue;
    }
    const spread = fold(item.value);
    if (spread.type !== 'list' && spread.type !== 'tuple') return DYNAMIC;
    items.push(...spread.items);
  }
  return { type: expression.type, items };
}

function foldDict(
  expression: Extract<Expression, { kind: 'dict' }>,
  fold: (inner: Expression) => Constant,
): Constant {
  const entries: { key: Constant; value: Constant }[] = [];
  const set = (key: Constant, value: Constant) => {
    const known = entries.find(
      (entry) => key.type === 'string' && entry.key.type === 'string' && entry.key.value === key.value,
    );
    if (known) known.value = value;
    else entries.push({ key, value });
  };
  for (const { key, value } of expression.entries) {
    if (key) {
      set(fold(key), fold(value));
      continue;
    }
    const spread = fold(value);
    if (spread.type !== 'dict') return DYNAMIC;
    for (const entry of spread.entries) set(entry.key, entry.value);
  }
  return { type: 'dict', entries };
}

function add(left: Constant, right: Constant): Constant {
  if (left.type === 'string' && right.type === 'string')
    return { type: 'string', value: left.value + right.value };
  if ((left.type === 'list' && right.type === 'list') || (left.type === 'tuple' && right.type === 'tuple')) {
    return { type: left.type, items: [...left.items, ...right.items] };
  }
  if (left.type === 'integer' && right.type === 'integer') {
    return { type: 'integer', value: left.value + right.value };
  }
  return DYNAMIC;
}

function joinTexts(parts: readonly Constant[]): Constant {
  let value = '';
  for (const part of parts) {
    if (part.type === 'string') value += part.value;
    else if (part.type === 'integer') value += String(part.value);
    else if (part.type === 'boolean') value += part.value ? 'True' : 'False';
    else if (part.type === 'none') value += 'None';
    else return DYNAMIC;
  }
  return { type: 'string', value };
}

/** `os.getenv("X")`, `os.getenv("X", "default")`, `os.environ.get(…)`. */
function foldCall(
  names: NameResolver,
  { call }: Extract<Expression, { kind: 'call' }>,
  place: Place,
  fold: (inner: Expression) => Constant,
): Constant {
  const target = externalPath(names.resolve(place.file, place.scope, call.callee));
  if (target !== 'os.getenv' && target !== 'os.environ.get') return DYNAMIC;
  const values = call.arguments.map((argument) => ({
    role: argument.spread ? 'spread' : (argument.keyword ?? 'positional'),
    constant: fold(argument.value),
  }));
  const [key, fallback] = values;
  const known =
    values.length <= 2 && key?.constant.type === 'string' && /^(?:positional|key)$/.test(key.role);
  if (!known || key.constant.type !== 'string') return DYNAMIC;
  if (!fallback) return { type: 'environment', name: key.constant.value, default: null };
  if (fallback.role !== 'positional' && fallback.role !== 'default') return DYNAMIC;
  if (fallback.constant.type === 'none')
    return { type: 'environment', name: key.constant.value, default: null };
  if (fallback.constant.type !== 'string') return DYNAMIC;
  return { type: 'environment', name: key.constant.value, default: fallback.constant.value };
}

/** `os.environ["X"]`, `GpuGroup["X"]`, and items of constants. */
function foldSubscript(
  names: NameResolver,
  expression: Extract<Expression, { kind: 'subscript' }>,
  place: Place,
  fold: (inner: Expression) => Constant,
): Constant {
  const index = fold(expression.index);
  if (expression.object.kind === 'reference') {
    const entities = names.resolve(place.file, place.scope, expression.object.path);
    if (index.type === 'string' && externalPath(entities) === 'os.environ') {
      return { type: 'environment', name: index.value, default: null };
    }
    const entity = entities.length === 1 ? entities[0]! : null;
    if (entity?.kind === 'sdk' && index.type === 'string')
      return memberOf([...entity.path, index.value]) ?? DYNAMIC;
  }
  const object = fold(expression.object);
  if (object.type === 'dict' && index.type === 'string') {
    const found = object.entries.find(({ key }) => key.type === 'string' && key.value === index.value);
    return found?.value ?? DYNAMIC;
  }
  if ((object.type === 'list' || object.type === 'tuple') && index.type === 'integer') {
    return object.items.at(index.value) ?? DYNAMIC;
  }
  return DYNAMIC;
}

function externalPath(entities: readonly Entity[]): string | null {
  const entity = entities.length === 1 ? entities[0]! : null;
  return entity?.kind === 'external' ? entity.path.join('.') : null;
}
