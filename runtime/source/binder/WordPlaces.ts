/**
 * A text and some names → where the names occur as whole words, so that a walk enters only nodes that contain
 * one.
 */

const WORD = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/g;

export class WordPlaces {
  readonly names: ReadonlySet<string>;
  /** Sorted. */
  readonly #offsets: number[] = [];

  constructor(text: string, names: ReadonlySet<string>) {
    this.names = names;
    if (names.size === 1) this.#findOne(text, [...names][0]!);
    else if (names.size > 1) {
      for (const { 0: word, index } of text.matchAll(WORD)) if (names.has(word)) this.#offsets.push(index);
    }
  }

  #findOne(text: string, name: string): void {
    for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
      if (beginsName(text, at) && !isNamePart(text[at + name.length])) this.#offsets.push(at);
    }
  }

  get isEmpty(): boolean {
    return this.#offsets.length === 0;
  }

  /** Whether one of the words begins in a range of the text. */
  isIn({ startIndex, endIndex }: { startIndex: number; endIndex: number }): boolean {
    let low = 0;
    let high = this.#offsets.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#offsets[middle]! < startIndex) low = middle + 1;
      else high = middle;
    }
    const first = this.#offsets[low];
    return first !== undefined && first < endIndex;
  }
}

/**
 * Digits do not belong to the name that follows them: `2sys` is a number and a name, as in the syntax
 * engines.
 */
function beginsName(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /\d/.test(text[before]!)) before -= 1;
  return !isNamePart(text[before]);
}

function isNamePart(character: string | undefined): boolean {
  return character !== undefined && /[\w\u0080-\uffff]/.test(character);
}
