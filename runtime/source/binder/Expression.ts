/** Expressions of a declaration as plain data: what constant folding and the rules read instead of a syntax tree. */
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

/** The binary operators that a constant may be made with. */
export type Operator = '+' | '-' | '*' | '/' | '//' | '%' | '**' | '|';

export type Expression =
  | {
      kind: 'string';
      value: string;
      /**
       * UTF-16 columns from the start of `range` to the literal's content; null unless content and value are the same
       * text, and the content begins on the line where `range` begins.
       */
      contentOffset: number | null;
      range: Range;
    }
  | { kind: 'number'; value: number; integer: boolean; range: Range }
  | { kind: 'boolean'; value: boolean; range: Range }
  | { kind: 'none'; range: Range }
  | { kind: 'bytes'; range: Range }
  /** An f-string or adjacent literals: strings are its text, all else its replacement fields. */
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
  /** An attribute, or a call of one, of anything but a dotted name. */
  | { kind: 'attribute'; object: Expression; name: string; range: Range }
  | { kind: 'method'; object: Expression; name: string; arguments: Argument[]; range: Range }
  | { kind: 'subscript'; object: Expression; index: Expression; range: Range }
  /** Known only when the code runs. */
  | { kind: 'opaque'; range: Range };
