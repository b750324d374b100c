/**
 * Expressions → constants, across files. A value that is known only when the code runs is dynamic, never
 * guessed.
 */
import type { Range } from '../../contract/diagnostic.ts';
import { CPU_FORMS, cpuMember } from '../../contract/hardware.ts';
import type { Expression } from '../binder/Expression.ts';
import { placeKey } from '../syntax/range.ts';
import { applySign, operate } from './arithmetic.ts';
import { type Constant, DYNAMIC, dictOf, type Entry, entryOf, weightOf } from './Constant.ts';
import { enumMember } from './enumMember.ts';
import { foldBuiltin, foldMethod, type GivenValues } from './foldBuiltin.ts';
import { formatField } from './formatText.ts';
import type { Entity, NameResolver } from './NameResolver.ts';

const MAX_DEPTH = 60;
/**
 * Maximum number of steps for one value. The cost doubles with each constant that uses another constant
 * twice.
 */
const MAX_STEPS = 20_000;

/** Where an expression is evaluated. */
export interface Place {
  file: string;
  scope: number;
}

/** Where a text comes from. */
export interface TextOrigin {
  file: string;
  /** Range of the literal with its quotes, or of the expression that builds the text. */
  range: Range;
  /** Whether one literal is the whole text; otherwise, the text is built from parts. */
  isWhole: boolean;
  /** The `textKey` of each literal in the text. */
  texts: readonly string[];
}

/** Where the texts in a folded value come from. */
export interface Tracing {
  origins: WeakMap<Constant, TextOrigin>;
  /** All literals that were read, even if they are not part of the value. */
  texts: Set<string>;
}

/** The cost of one value so far; `steps` is shared by all parts of the value. */
interface Effort {
  depth: number;
  steps: { left: number };
  tracing?: Tracing | undefined;
}

/**
 * Folds an expression.
 *
 * @param tracing - Collects the origins of texts.
 */
export function foldConstant(
  names: NameResolver,
  expression: Expression,
  place: Place,
  tracing?: Tracing,
): Constant {
  return foldPart(names, expression, place, { depth: 0, steps: { left: MAX_STEPS }, tracing });
}

function foldPart(names: NameResolver, expression: Expression, place: Place, effort: Effort): Constant {
  const { steps, depth, tracing } = effort;
  steps.left -= 1;
  if (depth > MAX_DEPTH || steps.left < 0) return DYNAMIC;
  const folding = new Folding(names, place, { ...effort, depth: depth + 1 });
  const folded = folding.fold(expression);
  if (tracing)
    trace(tracing, folded, { file: place.file, range: expression.range }, expression, folding.parts);
  // The value of a reference was counted where it was folded.
  if (expression.kind !== 'reference') steps.left -= weightOf(folded) - 1;
  return steps.left < 0 ? DYNAMIC : folded;
}

/** Records the origin of a text. A text that is passed on unchanged keeps its origin. */
function trace(
  { origins, texts }: Tracing,
  folded: Constant,
  place: Pick<TextOrigin, 'file' | 'range'>,
  { kind }: Expression,
  parts: readonly Constant[],
): void {
  if (folded.type !== 'string' || origins.has(folded)) return;
  const isWhole = kind === 'string';
  if (isWhole) texts.add(textKey(place));
  origins.set(folded, { ...place, isWhole, texts: isWhole ? [textKey(place)] : parts.flatMap(textsIn) });

  function textsIn(constant: Constant): readonly string[] {
    if (constant.type === 'dict') return constant.entries.flatMap(({ value }) => textsIn(value));
    if ('items' in constant) return constant.items.flatMap(textsIn);
    return origins.get(constant)?.texts ?? [];
  }
}

/** A key that identifies a literal in the project. */
export function textKey({ file, range: { start } }: Pick<TextOrigin, 'file' | 'range'>): string {
  return `${file}:${placeKey(start)}`;
}

/** Folds the parts of one expression. */
class Folding {
  readonly parts: Constant[] = [];
  readonly #names: NameResolver;
  readonly #place: Place;
  readonly #within: Effort;

  constructor(names: NameResolver, place: Place, within: Effort) {
    this.#names = names;
    this.#place = place;
    this.#within = within;
  }

  fold(expression: Expression): Constant {
    switch (expression.kind) {
      case 'string':
      case 'boolean':
        return { type: expression.kind, value: expression.value } as Constant;
      case 'number':
        return { type: expression.integer ? 'integer' : 'float', value: expression.value };
      case 'none':
      case 'bytes':
        return { type: expression.kind };
      case 'concatenation':
        return this.#text(expression.parts);
      case 'reference':
        return this.#reference(expression.path);
      case 'sequence':
        return this.#sequence(expression);
      case 'dict':
        return this.#dict(expression);
      case 'binary':
        return operate(expression.operator, this.#part(expression.left), this.#part(expression.right));
      case 'unary':
        return applySign(expression.sign, this.#part(expression.value));
      case 'call':
        return this.#call(expression);
      case 'method': {
        const given = this.#given(expression.arguments);
        return given ? foldMethod(this.#part(expression.object), expression.name, given) : DYNAMIC;
      }
      case 'attribute':
        return attributeOf(this.#part(expression.object), expression.name);
      case 'subscript':
        return this.#subscript(expression);
      default:
        return DYNAMIC;
    }
  }

  #part(expression: Expression, place = this.#place): Constant {
    const folded = foldPart(this.#names, expression, place, this.#within);
    if (this.#within.tracing) this.parts.push(folded);
    return folded;
  }

  #text(parts: readonly Expression[]): Constant {
    let value = '';
    for (const part of parts) {
      const text =
        part.kind === 'format'
          ? formatField(this.#part(part.value), part.conversion, part.spec)
          : formatField(this.#part(part), '', '');
      if (text === null) return DYNAMIC;
      value += text;
    }
    return { type: 'string', value };
  }

  /** A name that is bound more than once has no single value. */
  #reference(path: readonly string[]): Constant {
    const { file, scope } = this.#place;
    const entity = onlyOf(this.#names.resolve(file, scope, path));
    if (entity?.kind === 'sdk') return sdkMember(entity.path) ?? this.#attribute(path);
    if (entity?.kind !== 'value') return this.#attribute(path);
    const value = this.#part(entity.expression, { file: entity.file, scope: entity.scope });
    // Inside its class body, a member is still the plain value that was assigned to it.
    const isInside = path.length === 1 && entity.file === file && entity.scope === scope;
    return isInside ? value : enumMember(this.#names, entity, value);
  }

  /** `GpuGroup.ADA_24.name`, `Size.BIG.value`. */
  #attribute(path: readonly string[]): Constant {
    const name = path.at(-1)!;
    if (path.length < 3 || (name !== 'name' && name !== 'value')) return DYNAMIC;
    return attributeOf(this.#reference(path.slice(0, -1)), name);
  }

  #sequence(expression: Extract<Expression, { kind: 'sequence' }>): Constant {
    const items: Constant[] = [];
    for (const item of expression.items) {
      const folded = this.#part(item.kind === 'spread' ? item.value : item);
      if (item.kind !== 'spread') items.push(folded);
      else if (folded.type === 'list' || folded.type === 'tuple') items.push(...folded.items);
      else return DYNAMIC;
    }
    return { type: expression.type, items };
  }

  #dict(expression: Extract<Expression, { kind: 'dict' }>): Constant {
    const entries: Entry[] = [];
    for (const { key, value } of expression.entries) {
      const folded = this.#part(value);
      if (key) entries.push({ key: this.#part(key), value: folded });
      else if (folded.type === 'dict') entries.push(...folded.entries);
      else return DYNAMIC;
    }
    return dictOf(entries);
  }

  /** `os.getenv("X")`, `dict(a=1)`, `NAME.format(…)`. */
  #call({ call }: Extract<Expression, { kind: 'call' }>): Constant {
    const { file, scope } = this.#place;
    const given = this.#given(call.arguments);
    if (!given) return DYNAMIC;
    const target = externalPath(this.#names.resolve(file, scope, call.callee));
    if (target === 'os.getenv' || target === 'os.environ.get') return readEnvironment(given);
    const [name, ...rest] = call.callee;
    if (rest.length > 0) return foldMethod(this.#reference(call.callee.slice(0, -1)), rest.at(-1)!, given);
    return this.#names.isBuiltin(file, scope, name!) ? foldBuiltin(name!, given) : DYNAMIC;
  }

  /** Null when it is not known which arguments are given. */
  #given(list: Extract<Expression, { kind: 'method' }>['arguments']): GivenValues | null {
    const given: GivenValues = { positional: [], keywords: new Map() };
    const name = (keyword: string, value: Constant) => {
      const isNew = !given.keywords.has(keyword);
      given.keywords.set(keyword, value);
      return isNew;
    };
    for (const { keyword, spread, value } of list) {
      const folded = this.#part(value);
      if (keyword !== null) {
        if (!name(keyword, folded)) return null;
      } else if (spread === null) {
        given.positional.push(folded);
      } else if (spread === '*') {
        if (folded.type !== 'list' && folded.type !== 'tuple') return null;
        given.positional.push(...folded.items);
      } else {
        if (folded.type !== 'dict') return null;
        for (const entry of folded.entries)
          if (entry.key.type !== 'string' || !name(entry.key.value, entry.value)) return null;
      }
    }
    return given;
  }

  /** `os.environ["X"]`, `GpuGroup["X"]`, `Size["BIG"]`, and items of constants. */
  #subscript(expression: Extract<Expression, { kind: 'subscript' }>): Constant {
    const index = this.#part(expression.index);
    if (expression.object.kind === 'reference' && index.type === 'string') {
      const { path } = expression.object;
      const entity = onlyOf(this.#names.resolve(this.#place.file, this.#place.scope, path));
      if (entity && externalPath([entity]) === 'os.environ')
        return { type: 'environment', name: index.value, default: null };
      if (entity?.kind === 'sdk') return sdkMember([...entity.path, index.value]) ?? DYNAMIC;
      // Only an enum also has its members as items.
      const member = entity?.kind === 'definition' ? this.#reference([...path, index.value]) : DYNAMIC;
      if (entity?.kind === 'definition') return member.of ? member : DYNAMIC;
    }
    const object = this.#part(expression.object);
    if (object.type === 'dict') return entryOf(object, index);
    if ((object.type === 'list' || object.type === 'tuple') && index.type === 'integer')
      return object.items.at(index.value) ?? DYNAMIC;
    return DYNAMIC;
  }
}

function attributeOf(object: Constant, name: string): Constant {
  if (name === 'value')
    return object.type === 'member' ? valueOfMember(object) : (object.of?.value ?? DYNAMIC);
  if (name !== 'name') return DYNAMIC;
  const member = object.type === 'member' ? object.member : (object.of?.name ?? null);
  return member === null ? DYNAMIC : { type: 'string', value: member };
}

/** In the other enums of toolkit_sdk, the value of a member is its name. */
function valueOfMember({ enum: owner, member }: Extract<Constant, { type: 'member' }>): Constant {
  const value = owner === 'CpuInstanceType' ? CPU_FORMS.find((form) => cpuMember(form) === member) : member;
  return value === undefined ? DYNAMIC : { type: 'string', value };
}

function sdkMember(path: readonly string[]): Constant | null {
  const [owner, member] = path.slice(-2);
  if (member === undefined) return null;
  if (owner !== 'GpuGroup' && owner !== 'GpuType' && owner !== 'CpuInstanceType') return null;
  return { type: 'member', enum: owner, member };
}

/** The arguments of `os.getenv` and `os.environ.get`, which have the same names. */
function readEnvironment({ positional, keywords }: GivenValues): Constant {
  const [key = keywords.get('key'), fallback = keywords.get('default')] = positional;
  if (key?.type !== 'string' || positional.length + keywords.size > (fallback ? 2 : 1)) return DYNAMIC;
  if (fallback && fallback.type !== 'none' && fallback.type !== 'string') return DYNAMIC;
  const value = fallback?.type === 'string' ? fallback.value : null;
  return { type: 'environment', name: key.value, default: value };
}

function externalPath(entities: readonly Entity[]): string | null {
  const entity = onlyOf(entities);
  return entity?.kind === 'external' ? entity.path.join('.') : null;
}

function onlyOf(entities: readonly Entity[]): Entity | undefined {
  return entities.length === 1 ? entities[0] : undefined;
}
