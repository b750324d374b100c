/**
 * The input of a function or route as JSON Schema 2020-12. Used by the request panel, `/docs`, `call` and
 * completion.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The keywords that input schemas use. The empty schema `{}` allows anything. */
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

/** Where a parameter is in a request. */
export type ParameterSource = 'path' | 'query' | 'body';

export interface InputSchema {
  /** An object with all parameters by name, wherever they are in a request. */
  schema: JsonSchema;
  /** An input that matches the schema. */
  example: Record<string, Json>;
  /** By parameter. For a queue-based function all come from the body. */
  sources: Record<string, ParameterSource>;
}
