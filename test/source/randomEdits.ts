/**
 * Random edits of real texts, as an editor sends them. After each, the live document is compared with a full
 * reading of the text that a simple editor here keeps.
 */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type { Position } from '../../runtime/contract/diagnostic.ts';
import { LiveDocument, type TextChange } from '../../runtime/source/snapshot/LiveDocument.ts';
import { runSteps } from '../../runtime/source/steps.ts';
import type { SyntaxParser } from '../../runtime/source/syntax/SyntaxParser.ts';
import { readFacts } from './readFacts.ts';
import type { RealText } from './realTexts.ts';

const FILE = 'pkg/a.py';
/** Sessions per seed, of about 12 edits each. */
const SESSIONS = 20;
/** Characters that a few edits can add or remove. */
const CLOSE = 200;
/** Printing the differences of facts takes too long for longer texts. */
const MOST_COMPARED = 100_000;

/** Pieces that change the meaning of the surrounding text. */
const PIECES = [
  ['(', ')', '[', ']', '{', '}', '"', "'", '"""', "'''", 'f"{', '\\', '#', '@', ':', '=', ',', '.', '*', ';'],
  ['\n', '\n\n', '\n    ', '\n  ', '\t', '\n\t', '\r', '\r\n', '\0', '\f', '\uFEFF', '\u2028', '\ud800'],
  ['𝒳', 'é', 'ﬁ', 'größe', '\ngröße = 1\n', '\ndef größe(): ...\n', 'e\u0301'],
  [
    'def ',
    'class ',
    'import ',
    'from a import ',
    'global x',
    'nonlocal x',
    'del x\n',
    'if x:\n',
    'else:\n',
    'try:\n',
  ],
  [
    '(x := 1)',
    'if (api := Endpoint("w")):\n',
    ' := ',
    'match x:\n',
    '    case {"a": y, **z} if y:\n',
    'case [x, *_]:\n',
  ],
  [
    '[T: int = str]',
    'def f[T](x: T): ...\n',
    'class C[*Ts]: ...\n',
    '\ntype X[**P] = list[P]\n',
    'x = a, *[b]\n',
  ],
  ['lambda x=y: x', 'async ', 'await ', 'with ', 'except* A as x:\n', '    # c\n', '\n# c\n', '**', '->'],
  [
    '\nsys.exit()\n',
    '\nexit(1)\n',
    '\nos._exit(0)\n',
    '\nreturn\n',
    '\nif TYPE_CHECKING:\n    from y import *\n',
  ],
  ['\nfrom toolkit_sdk import *\n', '\nfrom . import *\n', '\n    from y import *\n', '__all__ = ["x"]\n'],
  [
    '@Endpoint()\nclass M:\n    def run(self): ...\n',
    '    @staticmethod\n',
    '    @property\n',
    '    run = _go\n',
  ],
  [
    '\n    def close(self): ...\n',
    '    def __init__(self, size): ...\n',
    '    del run\n',
    '(Base, metaclass=M)',
  ],
  ['Endpoint(', 'toolkit_sdk', '.Endpoint', 'as E', 'api.get("/")', '# toolkit: ignore[unknown-cpu]'],
  ['\nraise SystemExit\n', '\nx[0] = 1\n', '\nx = 1\n', '\nimport x\n', '\nfrom y import *\n', 'print 1\n'],
  [
    '\nfrom toolkit_sdk import Endpoint as E\n',
    '\nif __name__ == "__main__":\n    x = 1\n',
    '@Endpoint("n")\n',
  ],
].flat();

/** One edit. `at` and `to` choose positions in the current text. */
const edit = fc.record({
  kind: fc.constantFrom(
    ...([
      'insert',
      'insert',
      'delete',
      'replace',
      'paste',
      'join',
      'indent',
      'line',
      'undo',
      'whole',
    ] as const),
  ),
  at: fc.nat(1_000_000),
  to: fc.oneof(fc.nat(6), fc.nat(120)),
  piece: fc.constantFrom(...PIECES),
});
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

/** A section of a real text, and batches of edits. A batch is sent at once. */
const session = fc.record({
  text: fc.nat(1_000_000),
  from: fc.nat(1_000_000),
  lineEnd: fc.constantFrom('\n', '\n', '\n', '\r\n', '\r'),
  indent: fc.constantFrom('    ', '    ', '\t'),
  mark: fc.constantFrom('', '', '', '\uFEFF'),
  batches: fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 }),
});
type Session = typeof session extends fc.Arbitrary<infer Value> ? Value : never;

/** Length of the edited texts: a section of one text, or several texts joined to about this length. */
type Size = { lines: number } | { characters: number };

/**
 * Tries edits in the texts of one seed.
 *
 * @returns The number of compared edits.
 */
export function tryEdits(
  parser: SyntaxParser,
  texts: readonly RealText[],
  { seed, sessions = SESSIONS, ...size }: { seed: number; sessions?: number } & Size,
): number {
  let tried = 0;
  const property = fc.property(session, (chosen) => {
    const editor = new Editor(parser, textOf(chosen, texts, size));
    for (const batch of chosen.batches) {
      editor.edit(batch, texts);
      tried += batch.length;
    }
  });
  // Shrinking the edits of a large text would take hours.
  fc.assert(property, { seed, numRuns: sessions, endOnFailure: 'characters' in size });
  return tried;
}

function textOf(
  { text, from, lineEnd, indent, mark }: Session,
  texts: readonly RealText[],
  size: Size,
): string {
  const first = text % texts.length;
  const lines =
    'lines' in size
      ? stretch(texts[first]!.text, from, size.lines)
      : joined(texts, first, size.characters + (from % (2 * CLOSE)) - CLOSE);
  return (
    mark +
    lines
      .map((line) => line.replace(/^(?: {4})+/, (blanks) => indent.repeat(blanks.length / 4)))
      .join(lineEnd)
  );
}

function stretch(text: string, from: number, most: number): string[] {
  const lines = text.split(/\r?\n/);
  const first = lines.length <= most ? 0 : from % (lines.length - most);
  return lines.slice(first, first + most);
}

/**
 * Texts joined from one on, and cut so that edits cross the length at which a text is read in another way.
 */
function joined(texts: readonly RealText[], first: number, length: number): string[] {
  let text = '';
  for (let at = first; text.length < length; at += 1) text += `${texts[at % texts.length]!.text}\n`;
  return text.slice(0, length).split(/\r?\n/);
}

/** Keeps the text independently, by character index. */
class Editor {
  readonly document: LiveDocument;
  readonly #parser: SyntaxParser;
  #text: string;
  #earlier: string;

  constructor(parser: SyntaxParser, text: string) {
    this.#parser = parser;
    this.#text = text;
    this.#earlier = text;
    this.document = new LiveDocument({ file: FILE, text }, parser);
    this.#compare(this.document.facts, true);
  }

  edit(batch: readonly Edit[], texts: readonly RealText[]): void {
    const before = this.document.facts;
    const start = this.#text;
    const changes = batch.map((one) => this.#apply(one, texts));
    this.#earlier = start;
    this.#compare(before, this.document.change(changes));
  }

  #apply(one: Edit, texts: readonly RealText[]): TextChange {
    const text = this.#text;
    const at = outsideLineEnd(text, one.at % (text.length + 1));
    const end = outsideLineEnd(text, Math.min(at + one.to, text.length));
    const lineStart = at - /[^\r\n]*$/.exec(text.slice(0, at))![0].length;
    switch (one.kind) {
      case 'insert':
        return this.#replace(at, at, one.piece);
      case 'delete':
        return this.#replace(at, end, '');
      case 'replace':
        return this.#replace(at, end, one.piece);
      case 'paste': {
        const other = texts[one.at % texts.length]!.text.split('\n');
        const from = one.to % other.length;
        return this.#replace(lineStart, lineStart, `${other.slice(from, from + 8).join('\n')}\n`);
      }
      case 'join': {
        const lineEnd = text.indexOf('\n', at);
        return lineEnd === -1
          ? this.#replace(at, at, '')
          : this.#replace(text[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd, lineEnd + 1, '');
      }
      case 'indent':
        return one.to % 2 === 0
          ? this.#replace(lineStart, lineStart, '    ')
          : this.#replace(lineStart, lineStart + /^ {0,4}/.exec(text.slice(lineStart))![0].length, '');
      case 'line':
        return this.#replace(lineStart, lineStart, `${one.piece}\n`);
      case 'undo':
        return this.#whole(this.#earlier);
      case 'whole':
        return this.#whole(text.slice(0, at) + one.piece + text.slice(end));
    }
  }

  #replace(start: number, end: number, text: string): TextChange {
    const range = { start: positionOf(this.#text, start), end: positionOf(this.#text, end) };
    this.#text = this.#text.slice(0, start) + text + this.#text.slice(end);
    return { range, text };
  }

  #whole(text: string): TextChange {
    this.#text = text;
    return { text };
  }

  #compare(before: unknown, isChanged: boolean): void {
    const text = this.#text.replace(/\r(?!\n)/g, '\n');
    assert.equal(this.document.text, text);
    // A large text is read in steps, when there is time.
    const isLater = !this.document.isRead;
    if (isLater) runSteps(this.document.read());
    const facts = readFacts({ file: FILE, text }, this.#parser);
    // Checking equality is fast. Printing a difference is slow, and for a large text it is skipped.
    if (!isDeepStrictEqual(this.document.facts, facts)) {
      assert.ok(text.length <= MOST_COMPARED, 'the facts of a large text equal those of a full reading');
      assert.deepEqual(this.document.facts, facts);
    }
    if (isLater) return;
    assert.equal(this.document.facts !== before || isChanged, isChanged, 'a change is reported as one');
    if (isChanged && before !== this.document.facts) assert.notDeepEqual(before, facts);
  }
}

/** No position is between the two characters of a CRLF line end. */
function outsideLineEnd(text: string, index: number): number {
  return text[index - 1] === '\r' && text[index] === '\n' ? index - 1 : index;
}

function positionOf(text: string, index: number): Position {
  const lines = text.slice(0, index).split(/\r\n|\r|\n/);
  return { line: lines.length - 1, character: lines.at(-1)!.length };
}
