/**
 * A text and the start of a line → the segment that begins there. Checks brackets, strings, colons and
 * indentation token by token: half-written code mostly has faults of these kinds, and a parser with error
 * recovery reports them at the wrong position or accepts them.
 */
import type { Segment, TextFault } from './Segment.ts';
import { StringFault, skipString } from './skipString.ts';

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/**
 * Keywords of statements that need a colon. `match` and `case` are left out, because they can be plain names.
 */
const HEADERS = /^(?:if|elif|else|for|while|def|class|try|except|finally|with|async)$/;
const ASYNC = /^[ \t\f\uFEFF]*async(?:[ \t\f]|\\\r?\n)+(?:def|for|with)\b/;
const PREFIX = /^(?:[rbuft]|rb|br|fr|rf|tr|rt)$/i;
const WORD = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y;
/** The limit of CPython's tokenizer. It also limits the cost of an unclosed bracket. */
const MAX_NESTING = 200;
/**
 * Words that can only begin a statement. If a line begins with one, a bracket that is still open was never
 * closed.
 */
const STATEMENT =
  /[ \t\f]*(?:assert|break|class|continue|def|del|elif|except|finally|global|import|nonlocal|pass|raise|return|try|while|with)(?![\w\u0080-\uffff])/y;
/** Words that continue the previous statement. */
const CLAUSE = /^(?:elif|else|except|finally)$/;
/** A line that looks like the next statement of the module, no matter what is open above it. */
const RESTART =
  /(?<=\n)(?:@|(?:async[ \t]+)?(?:def|for|with)\b|(?:class|import|from|if|while|try|raise|del)\b|[A-Za-z_]\w*[ \t]*=(?!=))/g;

/** The indentation of a line. Python measures it with two tab widths, which must agree. */
interface Indent {
  /** Width, with tabs to the next multiple of 8. */
  column: number;
  /** Width, with each tab as one character. */
  characters: number;
}

export class LayoutScan {
  readonly #text: string;
  readonly #start: number;
  #at: number;
  /** Start of the current logical line. */
  #line: number;
  #isDecorator = false;
  readonly #open: { bracket: string; at: number }[] = [];
  readonly #indents: Indent[] = [{ column: 0, characters: 0 }];
  /** Index of the colon after which the next line must be indented. */
  #header: number | null = null;
  readonly #inBrackets: { start: number; end: number }[] = [];

  constructor(text: string, start: number) {
    this.#text = text;
    this.#start = start;
    this.#at = start;
    this.#line = start;
  }

  run(): Segment {
    try {
      return this.#lines();
    } catch (error) {
      if (!(error instanceof StringFault)) throw error;
      const { start, end } = error.place;
      return this.#faulty(this.#fault(start, error.message, error.fix, end));
    }
  }

  #lines(): Segment {
    const text = this.#text;
    // Editors may leave a byte order mark in the text. It is skipped at any index, because a segment does not
    // depend on its position.
    if (text[this.#start] === '\uFEFF') this.#at += 1;
    let isFirst = true;
    while (this.#at < text.length) {
      this.#line = this.#at;
      const indent = this.#indentation();
      const { column } = indent;
      if (this.#isBlank()) {
        this.#skipLine();
        continue;
      }
      const word = this.#word();
      if (column === 0 && !isFirst && !this.#isDecorator && !CLAUSE.test(word)) {
        const fault = this.#header === null ? null : this.#missingBlock(this.#header);
        return this.#segment(this.#line, this.#at + word.length + 1, fault);
      }
      isFirst = false;
      this.#isDecorator = column === 0 && text[this.#at] === '@';
      const fault = this.#indent(indent) ?? this.#logicalLine(word);
      if (fault) return this.#faulty(fault);
    }
    const fault = this.#header === null ? null : this.#missingBlock(this.#header);
    return this.#segment(text.length, Number.POSITIVE_INFINITY, fault);
  }

  #segment(end: number, seen: number, fault: TextFault | null): Segment {
    const start = this.#start;
    return { length: end - start, seen: seen - start, fault, inBrackets: this.#inBrackets };
  }

  /**
   * Ends the segment after a fault. A faulty decorator stays in one segment with the definition that it
   * decorates.
   */
  #faulty(fault: TextFault): Segment {
    const text = this.#text;
    let isDecorator = this.#isDecorator;
    const unclosed = this.#open[0]?.at ?? null;
    // Without an open bracket, the lines before the fault are complete, so the search begins at the fault.
    RESTART.lastIndex =
      unclosed === null && fault.ofLine === null
        ? Math.max(this.#start + fault.start, this.#line + 1)
        : this.#line + 1;
    let found = RESTART.exec(text);
    while (found && isDecorator) {
      isDecorator = found[0] === '@';
      found = RESTART.exec(text);
    }
    const end = found?.index ?? text.length;
    const isBeyond = this.#start + fault.start >= end;
    const reported = isBeyond ? this.#unclosed(unclosed ?? this.#start + fault.ofLine!) : fault;
    return this.#segment(end, Number.POSITIVE_INFINITY, reported);
  }

  #unclosed(at: number): TextFault {
    const bracket = this.#text[at]!;
    return this.#fault(at, `This "${bracket}" is never closed.`, `Add the missing "${CLOSERS[bracket]}".`);
  }

  #isBlank(): boolean {
    const first = this.#text[this.#at];
    return (
      first === undefined ||
      first === '\n' ||
      first === '#' ||
      (first === '\r' && this.#text[this.#at + 1] === '\n')
    );
  }

  #beginsStatement(): boolean {
    STATEMENT.lastIndex = this.#at;
    return STATEMENT.test(this.#text);
  }

  #word(): string {
    WORD.lastIndex = this.#at;
    return WORD.exec(this.#text)?.[0] ?? '';
  }

  /** Scans one line, or several lines that are joined by brackets or a backslash. */
  #logicalLine(keyword: string): TextFault | null {
    const text = this.#text;
    let hasColon = false;
    let last = this.#at;
    for (;;) {
      const at = this.#at;
      const char = text[at];
      if (char === undefined || (char === '\n' && this.#open.length === 0)) break;
      if (char === '#' || char === '\n') {
        this.#skipComment();
        if (this.#open.length > 0)
          this.#inBrackets.push({
            start: at - this.#start,
            end: Math.min(this.#at + 1, text.length) - this.#start,
          });
        if (char === '\n') this.#at += 1;
        if (char === '\n' && this.#beginsStatement()) return this.#unclosed(this.#open[0]!.at);
        continue;
      }
      if (char === '\\') {
        this.#at += text.startsWith('\\\r\n', at) ? 3 : 2;
        continue;
      }
      if (!/\s/.test(char)) last = at;
      if (char === ':' && this.#open.length === 0) hasColon = true;
      const fault = this.#token(char);
      if (fault) return fault;
    }
    this.#at += 1;
    const unclosed = this.#open[0];
    if (unclosed) return this.#unclosed(unclosed.at);
    if (keyword === 'async' && !ASYNC.test(text.slice(this.#line, this.#at))) {
      return this.#fault(
        text.indexOf(keyword, this.#line),
        'async can only come before def, for or with.',
        'Use another name, or write def, for or with after it.',
        text.indexOf(keyword, this.#line) + keyword.length,
      );
    }
    if (!hasColon && HEADERS.test(keyword)) {
      return this.#fault(last, `This ${keyword} statement needs a ":".`, 'Add the ":".');
    }
    this.#header = text[last] === ':' ? last : null;
    return null;
  }

  #token(char: string): TextFault | null {
    const at = this.#at;
    if (char === '"' || char === "'") {
      this.#at = skipString(this.#text, at, '');
      return null;
    }
    if (CLOSERS[char]) {
      if (this.#open.length === MAX_NESTING)
        return this.#fault(
          at,
          `Python does not allow more than ${MAX_NESTING} nested brackets.`,
          'Use fewer nested brackets.',
        );
      this.#open.push({ bracket: char, at });
    } else if (char === ')' || char === ']' || char === '}') {
      const opened = this.#open.pop();
      if (!opened) return this.#fault(at, `This "${char}" has no matching opening bracket.`, 'Remove it.');
      if (CLOSERS[opened.bracket] !== char) {
        const message = `This "${char}" does not match the "${opened.bracket}"`;
        const fault = this.#fault(at, message, `Close it with "${CLOSERS[opened.bracket]}".`);
        return { ...fault, ofLine: opened.at - this.#start };
      }
    } else {
      const word = this.#word();
      if (word !== '') {
        const end = at + word.length;
        const quote = this.#text[end];
        this.#at =
          (quote === '"' || quote === "'") && PREFIX.test(word) ? skipString(this.#text, end, word) : end;
        return null;
      }
    }
    this.#at += 1;
    return null;
  }

  #indent(indent: Indent): TextFault | null {
    const start = this.#line;
    const { column, characters } = indent;
    const header = this.#header;
    this.#header = null;
    const current = this.#indents.at(-1)!;
    if (header !== null) {
      if (column <= current.column) return this.#missingBlock(header);
      if (characters <= current.characters) return this.#mixedTabs(start);
      this.#indents.push(indent);
      return null;
    }
    if (column > current.column) {
      return this.#fault(
        start,
        'This line is indented more than its block.',
        'Indent it like the line before it.',
        this.#at,
      );
    }
    while (this.#indents.at(-1)!.column > column) this.#indents.pop();
    const outer = this.#indents.at(-1)!;
    if (outer.column === column) return outer.characters === characters ? null : this.#mixedTabs(start);
    return this.#fault(
      start,
      'Unindent does not match any outer block.',
      'Indent it like the block that it belongs to.',
      this.#at,
    );
  }

  #mixedTabs(start: number): TextFault {
    const message = 'The tabs and spaces that indent this line do not match the lines around it.';
    return this.#fault(start, message, 'Indent all lines of the file with spaces.', this.#at);
  }

  #missingBlock(header: number): TextFault {
    const fault = this.#fault(
      header,
      'An indented block must follow the ":"',
      'Add the block, or write pass.',
    );
    return { ...fault, ofLine: header - this.#start };
  }

  /** Moves to the first non-blank character of the line and returns the indentation. */
  #indentation(): Indent {
    let column = 0;
    let characters = 0;
    for (; ; this.#at += 1) {
      const char = this.#text[this.#at];
      if (char === ' ') column += 1;
      else if (char === '\t') column = (Math.floor(column / 8) + 1) * 8;
      else if (char !== '\f') return { column, characters };
      characters = char === '\f' ? 0 : characters + 1;
      if (char === '\f') column = 0;
    }
  }

  #skipComment(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#text.length : end;
  }

  #skipLine(): void {
    this.#skipComment();
    this.#at += 1;
  }

  #fault(start: number, message: string, fix: string, end = start + 1): TextFault {
    const from = this.#start;
    return { start: start - from, end: Math.max(end, start + 1) - from, message, ofLine: null, fix };
  }
}
