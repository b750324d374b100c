/**
 * A class in the project → the kind of data that it describes, with its own fields and the fields of its
 * bases.
 */
import type { Definition } from '../binder/FileFacts.ts';
import type { Place } from './foldConstant.ts';
import type { SchemaTexts, WrittenField } from './inputSchemaTexts.ts';
import type { NameResolver } from './NameResolver.ts';

type ClassKind = 'dataclass' | 'model' | 'typed-dict' | 'named-tuple' | 'enum';

export interface ClassField extends WrittenField {
  /** Where the names in the field are looked up. */
  place: Place;
  /** Whether the field is required, unless its default or type says otherwise. */
  total: boolean;
}

export interface ClassShape {
  kind: ClassKind;
  /** By name, in order. A class's own fields replace those of its bases. */
  fields: Map<string, ClassField>;
}

const BASES: Readonly<Record<string, ClassKind>> = {
  'pydantic.BaseModel': 'model',
  'pydantic.main.BaseModel': 'model',
  'pydantic.v1.BaseModel': 'model',
  'pydantic.generics.GenericModel': 'model',
  'sqlmodel.SQLModel': 'model',
  'typing.TypedDict': 'typed-dict',
  'typing_extensions.TypedDict': 'typed-dict',
  'typing.NamedTuple': 'named-tuple',
  'typing_extensions.NamedTuple': 'named-tuple',
  'enum.Enum': 'enum',
  'enum.IntEnum': 'enum',
  'enum.StrEnum': 'enum',
};

const DATACLASS = /^(?:dataclasses|pydantic\.dataclasses)\.dataclass$/;

/** Null for a class that does not describe JSON data. */
export function classShape(
  names: NameResolver,
  texts: SchemaTexts,
  { file, definition }: { file: string; definition: Definition },
  below: readonly Definition[] = [],
): ClassShape | null {
  const written = below.includes(definition) ? null : texts.classOf(file, definition);
  if (!written) return null;
  const fields = new Map<string, ClassField>();
  const isDataclass = definition.decorators.some(({ path }) =>
    names
      .resolve(file, definition.scope, path ?? [])
      .some((entity) => entity.kind === 'external' && DATACLASS.test(entity.path.join('.'))),
  );
  let kind: ClassKind | null = isDataclass ? 'dataclass' : null;
  for (const base of written.bases.toReversed()) {
    for (const entity of names.resolve(file, definition.scope, base)) {
      if (entity.kind === 'external') kind ??= BASES[entity.path.join('.')] ?? null;
      if (entity.kind !== 'definition') continue;
      const inherited = classShape(names, texts, entity, [...below, definition]);
      kind ??= inherited?.kind ?? null;
      for (const [name, field] of inherited?.fields ?? []) fields.set(name, field);
    }
  }
  if (!kind) return null;
  // Without the decorator, a subclass has the constructor of its base.
  if (kind === 'dataclass' && !isDataclass) return { kind, fields };
  const place = { file, scope: definition.body };
  for (const field of written.fields) fields.set(field.name, { ...field, place, total: written.total });
  return { kind, fields };
}
