/**
 * Expressions of a declaration as plain data, which constant folding and the rules read instead of a syntax
 * tree.
 */
import type { Range } from '../../contract/diagnostic.ts';

/** One argument of a call. */
export interface Argument {
  /** Null for a positional argument and for `*args` and `**kwargs`. */
  keyword: string | null;
  keywordRange: Range | null;
  spread: '*' | '**' | null;
  value: Expression;
}

/** A call of a dotted name. */
export interface Call {
  /** `['t', 'Endpoint']` for `t.Endpoint(…)`. */
  callee: string[];
  calleeRange: Range;
  arguments: Argument[];
  range: Range;
}

export interface DictEntry {
  /** Null for `**other`. */
  key: Expression | null;
  value: Expression;
}

/** The binary operators that are allowed in a constant. */
export type Operator = '+' | '-' | '*' | '/' | '//' | '%' | '**' | '|';

export type Expression =
  | {
      kind: 'string';
      value: string;
      /**
       * Number of UTF-16 columns from the start of `range` to the literal's content. Null unless the content
       * equals the value and begins on the line where `range` begins.
       */
      contentOffset: number | null;
      range: Range;
    }
  | { kind: 'number'; value: number; integer: boolean; range: Range }
  | { kind: 'boolean'; value: boolean; range: Range }
  | { kind: 'none'; range: Range }
  | { kind: 'bytes'; range: Range }
  /** An f-string or adjacent literals. Strings are the text; other parts are the replacement fields. */
  | { kind: 'concatenation'; parts: Expression[]; range: Range }
  /** A replacement field with a conversion such as `r`, or a format such as `03d`. */
  | { kind: 'format'; value: Expression; conversion: string; spec: string; range: Range }
  /** A name, or names joined by dots. */
  | { kind: 'reference'; path: string[]; range: Range }
  | { kind: 'sequence'; type: 'list' | 'tuple' | 'set'; items: Expression[]; range: Range }
  | { kind: 'spread'; value: Expression; range: Range }
  | { kind: 'dict'; entries: DictEntry[]; range: Range }
  | { kind: 'binary'; operator: Operator; left: Expression; right: Expression; range: Range }
  | { kind: 'unary'; sign: '-' | '+'; value: Expression; range: Range }
  | { kind: 'call'; call: Call; range: Range }
  /** An attribute, or the call of an attribute, of anything except a dotted name. */
  | { kind: 'attribute'; object: Expression; name: string; range: Range }
  | { kind: 'method'; object: Expression; name: string; arguments: Argument[]; range: Range }
  | { kind: 'subscript'; object: Expression; index: Expression; range: Range }
  /** Known only when the code runs. */
  | { kind: 'opaque'; range: Range };
