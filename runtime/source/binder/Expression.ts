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

export type Expression =
  | {
      kind: 'string';
      value: string;
      /**
       * UTF-16 columns from the start of `range` to the literal's content; null unless content and value are the same
       * text, and the content begins in the line where `range` begins.
       */
      contentOffset: number | null;
      range: Range;
    }
  | { kind: 'number'; value: number; integer: boolean; range: Range }
  | { kind: 'boolean'; value: boolean; range: Range }
  | { kind: 'none'; range: Range }
  /** An f-string or adjacent literals: strings are its text, all else its replacement fields. */
  | { kind: 'concatenation'; parts: Expression[]; range: Range }
  /** A name, or names joined by dots. */
  | { kind: 'reference'; path: string[]; range: Range }
  | { kind: 'sequence'; type: 'list' | 'tuple' | 'set'; items: Expression[]; range: Range }
  | { kind: 'spread'; value: Expression; range: Range }
  | { kind: 'dict'; entries: DictEntry[]; range: Range }
  | { kind: 'sum'; left: Expression; right: Expression; range: Range }
  | { kind: 'call'; call: Call; range: Range }
  | { kind: 'subscript'; object: Expression; index: Expression; range: Range }
  /** Only running the code could tell. */
  | { kind: 'opaque'; range: Range };
