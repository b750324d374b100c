/** Input schemas with their own definitions → schemas that share the components of one OpenAPI document. */
import type { JsonSchema } from '../../contract/inputSchema.ts';

const DEFINITION = '#/$defs/';
const COMPONENT = '#/components/schemas/';

export class SchemaComponents {
  /** The components by name, as they appear in the document. */
  readonly schemas: Record<string, object>;
  /** JSON of a definition and everything it references → its component name. */
  readonly #named = new Map<string, string>();

  /** @param own - Components that the document already has. */
  constructor(own: Record<string, object>) {
    this.schemas = { ...own };
  }

  /** Moves a schema's definitions to the components, and returns the schema without them. Equal definitions merge. */
  hoist({ $defs = {}, $schema: _dialect, ...schema }: JsonSchema): JsonSchema {
    const names = new Map<string, string>();
    for (const name of Object.keys($defs)) names.set(referenceTo(name), this.#nameFor(name, $defs));
    for (const [name, definition] of Object.entries($defs))
      this.schemas[names.get(referenceTo(name))!] ??= renamed(definition, names);
    return renamed(schema, names);
  }

  #nameFor(name: string, definitions: Record<string, JsonSchema>): string {
    const whole = JSON.stringify(reachable(name, definitions));
    const known = this.#named.get(whole);
    if (known !== undefined) return known;
    // OpenAPI allows only these characters; Python allows more.
    const plain = name.replace(/[^A-Za-z0-9._-]/g, '_');
    const taken = new Set([...Object.keys(this.schemas), ...this.#named.values()]);
    let free = plain;
    for (let count = 2; taken.has(free); count += 1) free = `${plain}_${count}`;
    this.#named.set(whole, free);
    return free;
  }
}

/** A definition and all definitions it references, in an order that depends only on them. */
function reachable(name: string, definitions: Record<string, JsonSchema>): [string, JsonSchema][] {
  const found = new Map<string, JsonSchema>();
  const waiting = [name];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const definition = definitions[next];
    if (!definition || found.has(next)) continue;
    found.set(next, definition);
    waiting.push(...referencesIn(definition));
  }
  return [...found];
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string'
      ? [decodeURIComponent(inner.slice(DEFINITION.length))]
      : referencesIn(inner),
  );
}

/** A reference in the form that input schemas use. */
function referenceTo(name: string): string {
  return DEFINITION + encodeURIComponent(name);
}

/** The value with its references changed to point to components. */
function renamed<Value>(value: Value, names: ReadonlyMap<string, string>): Value {
  const rename = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(rename);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([key, one]) => {
        const name = key === '$ref' && typeof one === 'string' ? names.get(one) : undefined;
        return [key, name === undefined ? rename(one) : COMPONENT + name];
      }),
    );
  };
  return rename(value) as Value;
}
