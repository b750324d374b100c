/**
 * A declaration's name → the text in the source that it comes from: the literal itself, that of a constant in whatever
 * file, or an entry of `**SETTINGS`.
 */
import type { Range } from '../../contract/diagnostic.ts';
import type { Expression } from '../binder/Expression.ts';
import { type Declaration, effectiveName } from '../declarations/Declaration.ts';
import type { Place } from '../declarations/foldConstant.ts';
import type { NameResolver } from '../declarations/NameResolver.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';

/** Where a name is written. */
export interface NameLiteral {
  declaration: Declaration;
  name: string;
  file: string;
  /** Of the literal with its quotes, or of the expression that makes the name. */
  range: Range;
  /** Whether there is the name and nothing else; it is put together from parts otherwise. */
  isWhole: boolean;
}

type Found = Pick<NameLiteral, 'file' | 'range' | 'isWhole'>;

/** Longest chain of constants that is followed. */
const MAX_DEPTH = 40;

const known = new WeakMap<ProjectIndex, readonly NameLiteral[]>();

/** One for each declaration that is given a name which can be told. */
export function nameLiterals(index: ProjectIndex): readonly NameLiteral[] {
  const made = known.get(index) ?? collect(index);
  known.set(index, made);
  return made;
}

function collect({ declarations, names }: ProjectIndex): NameLiteral[] {
  const parts = declarations.map((declaration) => ({
    name: effectiveName(declaration),
    places: declaration.given.name ? partsOf(names, declaration.given.name.expression, declaration) : [],
  }));
  return declarations.flatMap((declaration): NameLiteral[] => {
    const { given, file } = declaration;
    const name = effectiveName(declaration);
    if (name === null || !given.name || declaration.name.state !== 'known') return [];
    const { expression } = given.name;
    const isSpread = declaration.call.arguments.some(
      ({ value, spread }) => value === expression && spread === '**',
    );
    const entry = isSpread
      ? nameEntry(names, { expression, place: declaration })
      : { expression, place: declaration };
    const found = entry && trace(names, entry.expression, entry.place);
    if (!found) return [];
    // A text that makes another endpoint's name as well stays as it is: the name is to be said here.
    const isShared = parts.some((other) => other.name !== name && other.places.includes(keyOf(found)));
    const site = isShared ? { file, range: expression.range, isWhole: false } : found;
    return isShared && isSpread ? [] : [{ declaration, name, ...site }];
  });
}

/** The expression with the value of another, through constants that stand for nothing else. */
function trace(names: NameResolver, expression: Expression, { file, scope }: Place, depth = 0): Found | null {
  const here = { file, range: expression.range };
  if (expression.kind === 'string') return { ...here, isWhole: true };
  if (expression.kind === 'reference' && depth < MAX_DEPTH) {
    const value = valueOf(names, expression.path, { file, scope });
    if (value) return trace(names, value.expression, value.place, depth + 1);
  }
  if (expression.kind === 'subscript' && expression.index.kind === 'string') {
    const { object, index } = expression;
    const entry = entryOf(names, { expression: object, place: { file, scope } }, index.value);
    if (entry && depth < MAX_DEPTH) return trace(names, entry.expression, entry.place, depth + 1);
  }
  return { ...here, isWhole: false };
}

interface PlacedExpression {
  expression: Expression;
  place: Place;
}

function nameEntry(names: NameResolver, settings: PlacedExpression): PlacedExpression | null {
  return entryOf(names, settings, 'name');
}

/** The value that a dict has at a key. */
function entryOf(
  names: NameResolver,
  { expression, place }: PlacedExpression,
  key: string,
  depth = 0,
): PlacedExpression | null {
  if (depth > MAX_DEPTH) return null;
  if (expression.kind === 'reference') {
    const value = valueOf(names, expression.path, place);
    return value && entryOf(names, value, key, depth + 1);
  }
  for (const { at, value } of entriesOf(expression).toReversed()) {
    if (at === key) return { expression: value, place };
    const spread = at === null ? entryOf(names, { expression: value, place }, key, depth + 1) : null;
    if (spread) return spread;
  }
  return null;
}

/** The entries of an expression that makes a dict; of a whole dict in it the key is null. */
function entriesOf(expression: Expression): { at: string | null | undefined; value: Expression }[] {
  switch (expression.kind) {
    case 'dict':
      return expression.entries.map(({ key, value }) => ({
        at: key?.kind === 'string' ? key.value : key && undefined,
        value,
      }));
    case 'binary':
      return [expression.left, expression.right].map((value) => ({ at: null, value }));
    case 'call':
      return expression.call.arguments.map(({ keyword, value }) => ({ at: keyword, value }));
    default:
      return [];
  }
}

function valueOf(
  names: NameResolver,
  path: readonly string[],
  { file, scope }: Place,
): PlacedExpression | null {
  const entities = names.resolve(file, scope, path);
  const entity = entities[0];
  // A member of an enumeration is written where its class gives it a value.
  if (entity?.kind === 'opaque' && path.at(-1) === 'value')
    return valueOf(names, path.slice(0, -1), { file, scope });
  if (entities.length !== 1 || entity?.kind !== 'value') return null;
  return { expression: entity.expression, place: { file: entity.file, scope: entity.scope } };
}

/** The places of all texts that an expression's value is made of. */
function partsOf(names: NameResolver, expression: Expression, place: Place, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  const parts = (inner: Expression) => partsOf(names, inner, place, depth + 1);
  switch (expression.kind) {
    case 'string':
      return [keyOf({ file: place.file, range: expression.range })];
    case 'concatenation':
      return expression.parts.flatMap(parts);
    case 'binary':
      return [...parts(expression.left), ...parts(expression.right)];
    case 'format':
      return parts(expression.value);
    case 'call': {
      const { callee, arguments: given } = expression.call;
      const object = partsOf(
        names,
        { ...expression, kind: 'reference', path: callee.slice(0, -1) },
        place,
        depth,
      );
      return [...object, ...given.flatMap(({ value }) => parts(value))];
    }
    case 'method':
      return [expression.object, ...expression.arguments.map(({ value }) => value)].flatMap(parts);
    case 'attribute':
    case 'subscript':
      return parts(expression.object);
    case 'dict':
      return expression.entries.flatMap(({ value }) => parts(value));
    case 'reference': {
      const value = valueOf(names, expression.path, place);
      return value ? partsOf(names, value.expression, value.place, depth + 1) : [];
    }
    default:
      return [];
  }
}

function keyOf({ file, range: { start } }: Pick<Found, 'file' | 'range'>): string {
  return `${file}:${start.line}:${start.character}`;
}
