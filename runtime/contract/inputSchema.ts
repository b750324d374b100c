/** What a function or route takes, as JSON Schema 2020-12: read by the request panel, `/docs`, `call` and completion. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The keywords that schemas of inputs use. The empty schema `{}` allows anything. */
export interface JsonSchema {
  $schema?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  title?: string;
  description?: string;
  type?: 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';
  enum?: Json[];
  anyOf?: JsonSchema[];
  default?: Json;
  examples?: Json[];
  format?: string;
  pattern?: string;
  contentEncoding?: 'base64';
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  items?: JsonSchema | false;
  prefixItems?: JsonSchema[];
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
}

/** Where a request carries a parameter. */
export type ParameterSource = 'path' | 'query' | 'body';

export interface InputSchema {
  /** Of an object with all parameters by name, wherever a request carries them. */
  schema: JsonSchema;
  /** An input that the schema allows. */
  example: Record<string, Json>;
  /** By parameter; all of a queue-based function come from the body. */
  sources: Record<string, ParameterSource>;
}
