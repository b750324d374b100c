/**
 * Brackets, strings, colons and indentation, checked token by token. A parser that recovers from errors places them
 * badly or accepts them; these are the faults that half-written code has most, and each is told where it began.
 */
import type { Position } from '../../contract/diagnostic.ts';
import { StringFault, skipString } from './skipString.ts';

/** A fault by its place in the text, UTF-16 indices. */
export interface TextFault {
  start: number;
  end: number;
  message: string;
  fix: string | null;
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** Statements that must have a colon; `match` and `case` may be plain names. */
const HEADERS = /^(?:if|elif|else|for|while|def|class|try|except|finally|with|async)$/;
const PREFIX = /^(?:[rbuft]|rb|br|fr|rf|tr|rt)$/i;
const WORD = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y;

/** What the layout says. */
export interface Layout {
  fault: TextFault | null;
  /** The text with the line ends and comments inside of brackets blanked, each place where it was. */
  joined: string;
}

/** Checks a text's layout. */
export function readLayout(text: string): Layout {
  const scan = new LayoutScan(text);
  const fault = scan.run();
  return { fault, joined: scan.joined() };
}

/** Line and column of an index. */
export function positionAt(text: string, index: number): Position {
  let line = 0;
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) {
    line += 1;
    start = at + 1;
  }
  return { line, character: index - start };
}

class LayoutScan {
  readonly #text: string;
  #at = 0;
  readonly #open: { bracket: string; at: number }[] = [];
  readonly #indents = [0];
  /** Place of the colon that the next line must be indented after. */
  #header: number | null = null;
  readonly #blanks: { start: number; end: number }[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  run(): TextFault | null {
    try {
      while (this.#at < this.#text.length) {
        const fault = this.#logicalLine();
        if (fault) return fault;
      }
    } catch (error) {
      if (error instanceof StringFault) return { ...error.place, message: error.message, fix: error.fix };
      throw error;
    }
    return this.#header === null ? null : this.#missingBlock(this.#header);
  }

  joined(): string {
    let joined = '';
    let from = 0;
    for (const { start, end } of this.#blanks) {
      joined += this.#text.slice(from, start) + ' '.repeat(end - start);
      from = end;
    }
    return joined + this.#text.slice(from);
  }

  /** One line, or more where brackets or a backslash join them. */
  #logicalLine(): TextFault | null {
    const text = this.#text;
    const start = this.#at;
    const column = this.#indentation();
    const first = text[this.#at];
    if (
      first === undefined ||
      first === '\n' ||
      first === '#' ||
      (first === '\r' && text[this.#at + 1] === '\n')
    ) {
      this.#skipLine();
      return null;
    }
    const indent = this.#indent(column, start);
    if (indent) return indent;
    const begin = this.#at;
    WORD.lastIndex = begin;
    const keyword = WORD.exec(text)?.[0] ?? '';
    let hasColon = false;
    let last = begin;
    for (;;) {
      const at = this.#at;
      const char = text[at];
      if (char === undefined || (char === '\n' && this.#open.length === 0)) break;
      if (char === '#' || char === '\n') {
        this.#skipComment();
        if (this.#open.length > 0) this.#blanks.push({ start: at, end: Math.min(this.#at + 1, text.length) });
        if (char === '\n') this.#at += 1;
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
    if (unclosed)
      return this.#fault(
        unclosed.at,
        `This "${unclosed.bracket}" is never closed.`,
        `Add the missing "${CLOSERS[unclosed.bracket]}".`,
      );
    if (!hasColon && HEADERS.test(keyword)) {
      return this.#fault(last, `A line that begins with ${keyword} needs a ":" at its end.`, 'Add the ":".');
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
      this.#open.push({ bracket: char, at });
    } else if (char === ')' || char === ']' || char === '}') {
      const opened = this.#open.pop();
      if (!opened) return this.#fault(at, `This "${char}" closes nothing.`, 'Remove it.');
      if (CLOSERS[opened.bracket] !== char) {
        const { line } = positionAt(this.#text, opened.at);
        return this.#fault(
          at,
          `This "${char}" does not match the "${opened.bracket}" of line ${line + 1}.`,
          `Close it with "${CLOSERS[opened.bracket]}".`,
        );
      }
    } else {
      WORD.lastIndex = at;
      const word = WORD.exec(this.#text)?.[0];
      if (word !== undefined) {
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

  #indent(column: number, start: number): TextFault | null {
    const header = this.#header;
    this.#header = null;
    const current = this.#indents.at(-1)!;
    if (header !== null) {
      if (column <= current) return this.#missingBlock(header);
      this.#indents.push(column);
      return null;
    }
    if (column > current) {
      return this.#fault(
        start,
        'This line is indented more than the block that it stands in.',
        'Indent it as the line before it.',
        this.#at,
      );
    }
    while (this.#indents.at(-1)! > column) this.#indents.pop();
    if (this.#indents.at(-1) === column) return null;
    return this.#fault(
      start,
      'This line is indented as no block around it is.',
      'Indent it as the block that it belongs to.',
      this.#at,
    );
  }

  #missingBlock(header: number): TextFault {
    const { line } = positionAt(this.#text, header);
    return this.#fault(
      header,
      `An indented block must follow the ":" of line ${line + 1}.`,
      'Write the block, or pass.',
    );
  }

  /** Moves to the line's first character that is no blank; tabs go to the next multiple of 8. */
  #indentation(): number {
    let column = 0;
    for (; ; this.#at += 1) {
      const char = this.#text[this.#at];
      if (char === ' ') column += 1;
      else if (char === '\t') column = (Math.floor(column / 8) + 1) * 8;
      else if (char === '\f') column = 0;
      else return column;
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
    return { start, end: Math.max(end, start + 1), message, fix };
  }
}
