/** Annotations → JSON Schemas. A type that the project's source does not define becomes an open schema. */
import type { Json, JsonSchema } from '../../contract/inputSchema.ts';
import type { Definition } from '../binder/FileFacts.ts';
import { dottedPath, readExpression, values } from '../binder/readExpression.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { foldConstant, type Place } from './foldConstant.ts';
import { type ClassField, type ClassShape, classShape } from './inputSchemaClass.ts';
import { DESCRIBES_FIELD, type FieldOptions, fieldOptions, jsonOf } from './inputSchemaField.ts';
import { choiceOf, isOpen, itemsOf, NULL, record, SCALARS, tupleOf, union } from './inputSchemaForms.ts';
import { type SchemaSource, SchemaTexts, type WrittenField } from './inputSchemaTexts.ts';

const LISTS = /^(?:list|List|Sequence|MutableSequence|Iterable|Collection|deque|Deque)$/;
const SETS = /^(?:set|Set|frozenset|FrozenSet|AbstractSet|MutableSet)$/;
const MAPPINGS = /^(?:dict|Dict|Mapping|MutableMapping|defaultdict|DefaultDict|OrderedDict)$/;
/** Types that say something about a field but nothing about its values. */
const QUALIFIERS = /^(?:Final|Required|NotRequired|ReadOnly|dataclasses\.InitVar)$/;
const SHORT = /^(?:typing|typing_extensions|collections\.abc|collections|builtins|types)\./;

/** Maximum nesting of expressions, including aliases and bases. */
const MAX_DEPTH = 60;
/** Maximum number of types in one input. The number doubles with each alias that uses another alias twice. */
const MAX_TYPES = 5_000;

export class SchemaReader {
  /** Schemas of the classes that were read, by the name in `$ref`. */
  readonly definitions = record();
  readonly #source: SchemaSource;
  readonly #texts: SchemaTexts;
  readonly #references = new Map<Definition, JsonSchema>();
  /** Aliases that led here. An alias that leads back to itself becomes an open schema. */
  readonly #aliases = new Set<string>();
  #depth = 0;
  #left = MAX_TYPES;

  constructor(source: SchemaSource) {
    this.#source = source;
    this.#texts = new SchemaTexts(source);
  }

  /** The schema of a parameter or field, and its other options. */
  field(
    { annotation, default: text }: Omit<WrittenField, 'name'>,
    place: Place,
  ): FieldOptions & { schema: JsonSchema } {
    const own = annotation === null ? {} : this.#annotation(annotation, place);
    const options = (text !== null && this.#fieldCall(text, own, place)) || {
      keywords: text === null ? {} : this.#default(text, place),
      required: text === null,
      alias: null,
      init: true,
    };
    const { keywords } = options;
    const type = keywords.default === null && annotation !== null ? union([own, NULL]) : own;
    return { ...options, schema: { ...type, ...keywords } };
  }

  /**
   * Names in other packages that may say how a framework binds a parameter: its type, and the functions that
   * are called in its `Annotated` and its default.
   */
  externalNames({ annotation, default: text }: Omit<WrittenField, 'name'>, place: Place): string[] {
    return [annotation, text].flatMap((written) => {
      if (written === null) return [];
      return this.#texts.walk(written, (node, whole) => this.#externalNames(node, whole, place)) ?? [];
    });
  }

  #externalNames(node: SyntaxNode, text: string, place: Place): string[] {
    if (node.type === 'call') return [this.#externalName(node.childForFieldName('function'), text, place)];
    if (node.type !== 'subscript') return [this.#externalName(node, text, place)];
    const [named, ...parameters] = values(node);
    if (this.#externalName(named!, text, place) !== 'Annotated') return [];
    return parameters.flatMap((one) => this.#externalNames(one, text, place));
  }

  #default(text: string, place: Place): JsonSchema {
    const read = this.#texts.walk(text, (node, whole) => ({ value: this.#constant(node, whole, place) }));
    return read?.value === undefined ? {} : { default: read.value };
  }

  #annotation(text: string, place: Place): JsonSchema {
    return this.#texts.walk(text, (node, whole) => this.#type({ node, text: whole, place })) ?? {};
  }

  #type(at: TypeNode): JsonSchema {
    this.#left -= 1;
    if (this.#depth > MAX_DEPTH || this.#left < 0) return {};
    this.#depth += 1;
    try {
      return this.#typeOf(at);
    } finally {
      this.#depth -= 1;
    }
  }

  #typeOf({ node, text, place }: TypeNode): JsonSchema {
    const inner = (child: SyntaxNode | null | undefined) =>
      child ? this.#type({ node: child, text, place }) : {};
    switch (node.type) {
      case 'none':
        return NULL;
      case 'parenthesized_expression':
        return inner(values(node)[0]);
      case 'string': {
        const written = readExpression(node, text);
        return written.kind === 'string' ? this.#annotation(written.value, place) : {};
      }
      case 'binary_operator':
        if (node.childForFieldName('operator')?.type !== '|') return {};
        return union([inner(node.childForFieldName('left')), inner(node.childForFieldName('right'))]);
      case 'call':
        // `UserId = NewType("UserId", int)`
        if (this.#externalName(node.childForFieldName('function'), text, place) !== 'NewType') return {};
        return inner(values(node.childForFieldName('arguments')!)[1]);
      case 'subscript': {
        const [named, ...parameters] = values(node);
        return this.#named({ node: named!, text, place }, parameters);
      }
      default:
        return this.#named({ node, text, place }, []);
    }
  }

  /** The schema of a name with its type arguments. */
  #named({ node, text, place }: TypeNode, parameters: readonly SyntaxNode[]): JsonSchema {
    const path = dottedPath(node, text);
    if (!path) return {};
    const entities = this.#source.names.resolve(place.file, place.scope, path);
    const entity = entities.find(({ kind }) => kind !== 'opaque');
    if (entity?.kind === 'external')
      return this.#generic(entity.path.join('.').replace(SHORT, ''), { text, place }, parameters);
    if (entity?.kind === 'definition') return this.#class(entity);
    if (entity?.kind === 'value')
      return this.#alias(this.#texts.slice(entity.file, entity.expression.range), entity);
    const written = path.length === 1 ? this.#texts.aliasOf(place.file, path[0]!) : null;
    if (written !== null) return this.#alias(written, { file: place.file, scope: 0 });
    return entities.length === 0 ? this.#generic(path.join('.'), { text, place }, parameters) : {};
  }

  #alias(text: string, place: Place): JsonSchema {
    const key = `${place.file}:${place.scope}:${text}`;
    if (this.#aliases.has(key)) return {};
    this.#aliases.add(key);
    const type = this.#annotation(text, place);
    this.#aliases.delete(key);
    return type;
  }

  #generic(
    name: string,
    { text, place }: Omit<TypeNode, 'node'>,
    parameters: readonly SyntaxNode[],
  ): JsonSchema {
    const types = () => parameters.map((node) => this.#type({ node, text, place }));
    if (Object.hasOwn(SCALARS, name)) return SCALARS[name]!;
    if (LISTS.test(name)) return { type: 'array', ...itemsOf(types()) };
    if (SETS.test(name)) return { type: 'array', ...itemsOf(types()), uniqueItems: true };
    if (MAPPINGS.test(name)) {
      const value = types()[1];
      return { type: 'object', ...(value && !isOpen(value) ? { additionalProperties: value } : {}) };
    }
    if (QUALIFIERS.test(name)) return types()[0] ?? {};
    switch (name) {
      case 'Optional':
        return union([...types(), NULL]);
      case 'Union':
        return union(types());
      case 'tuple':
      case 'Tuple':
        if (parameters.length === 0) return { type: 'array' };
        if (parameters[1]?.type === 'ellipsis') return { type: 'array', ...itemsOf(types()) };
        return tupleOf(parameters[0]!.type === 'tuple' ? [] : types());
      case 'Literal':
        return choiceOf(parameters.map((node) => this.#constant(node, text, place)));
      case 'Annotated':
        return this.#annotated(types()[0] ?? {}, { text, place }, parameters.slice(1));
      default:
        return {};
    }
  }

  #annotated(
    type: JsonSchema,
    { text, place }: Omit<TypeNode, 'node'>,
    metadata: readonly SyntaxNode[],
  ): JsonSchema {
    return metadata.reduce((schema, { startIndex, endIndex }) => {
      const options = this.#fieldCall(text.slice(startIndex, endIndex), schema, place);
      return { ...schema, ...options?.keywords };
    }, type);
  }

  /** Null if the text is not a call of `Field` or a similar function. */
  #fieldCall(text: string, of: JsonSchema, place: Place): FieldOptions | null {
    return this.#texts.walk(text, (node, whole) => {
      const name =
        node.type === 'call' ? this.#externalName(node.childForFieldName('function'), whole, place) : '';
      const written = DESCRIBES_FIELD.test(name) ? readExpression(node, whole) : null;
      if (written?.kind !== 'call') return null;
      return fieldOptions(written.call, text, of, (value) =>
        jsonOf(foldConstant(this.#source.names, value, place)),
      );
    });
  }

  #constant(node: SyntaxNode, text: string, place: Place): Json | undefined {
    return jsonOf(foldConstant(this.#source.names, readExpression(node, text), place));
  }

  /** The dotted name in another package that a node refers to; empty for anything else. */
  #externalName(node: SyntaxNode | null, text: string, { file, scope }: Place): string {
    const path = node && dottedPath(node, text);
    const [entity] = path ? this.#source.names.resolve(file, scope, path) : [];
    return entity?.kind === 'external' ? entity.path.join('.').replace(SHORT, '') : '';
  }

  #class(entity: { file: string; definition: Definition }): JsonSchema {
    const { definition } = entity;
    const known = this.#references.get(definition);
    if (known) return known;
    const shape = definition.kind === 'class' ? classShape(this.#source.names, this.#texts, entity) : null;
    if (!shape) return {};
    let name = definition.name;
    for (let count = 2; Object.hasOwn(this.definitions, name); count += 1)
      name = `${definition.name}${count}`;
    const reference = { $ref: `#/$defs/${encodeURIComponent(name)}` };
    this.#references.set(definition, reference);
    // The class may refer back to itself.
    this.definitions[name] = {};
    const described = definition.description === null ? {} : { description: definition.description };
    this.definitions[name] = { title: definition.name, ...described, ...this.#shape(shape, entity) };
    return reference;
  }

  #shape({ kind, fields }: ClassShape, entity: { file: string; definition: Definition }): JsonSchema {
    if (kind === 'enum') return this.#members(entity);
    const properties = record();
    const required: string[] = [];
    for (const field of fields.values()) {
      const qualifier = this.#qualifier(field);
      if (/^(?:ClassVar|dataclasses\.KW_ONLY)$/.test(qualifier)) continue;
      if (kind === 'model' && field.name.startsWith('_')) continue;
      const { schema, init, alias, ...read } = this.field(field, field.place);
      if (!init) continue;
      const name = alias ?? field.name;
      properties[name] = schema;
      const isRequired = field.total ? qualifier !== 'NotRequired' : qualifier === 'Required';
      if (read.required && isRequired) required.push(name);
    }
    if (kind === 'named-tuple') return { ...tupleOf(Object.values(properties)), minItems: required.length };
    const schema: JsonSchema = { type: 'object', properties };
    if (required.length > 0) schema.required = required;
    if (kind === 'dataclass') schema.additionalProperties = false;
    return schema;
  }

  /** The name of an annotation without its type arguments, such as `ClassVar`. */
  #qualifier({ annotation, place }: ClassField): string {
    const name = this.#texts.walk(annotation ?? '', (node, text) =>
      this.#externalName(node.type === 'subscript' ? node.childForFieldName('value') : node, text, place),
    );
    return name ?? '';
  }

  #members({ file, definition }: { file: string; definition: Definition }): JsonSchema {
    const place = { file, scope: definition.body };
    const bindings = this.#source.names.factsOf(file)?.scopes[definition.body]?.bindings ?? {};
    const isText = this.#texts.classOf(file, definition)?.bases.some((base) => base.at(-1) === 'StrEnum');
    let last = 0;
    return choiceOf(
      Object.entries(bindings).flatMap(([name, [binding]]) => {
        if (name.startsWith('_') || binding?.kind !== 'value') return [];
        const { expression } = binding;
        const isCounted = expression.kind === 'call' && expression.call.callee.at(-1) === 'auto';
        const counted = isText ? name.toLowerCase() : last + 1;
        const value = isCounted ? counted : jsonOf(foldConstant(this.#source.names, expression, place));
        if (typeof value === 'number') last = value;
        return [value];
      }),
    );
  }
}

/** The node of a type, the text that it was parsed from, and where the names in it are looked up. */
interface TypeNode {
  node: SyntaxNode;
  text: string;
  place: Place;
}
