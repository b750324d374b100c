/** A text and a name → where the name stands as a whole word, so that a walk enters only what holds it. */

export class WordPlaces {
  /** In order. */
  readonly #offsets: number[] = [];

  constructor(text: string, name: string) {
    for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
      if (!isNamePart(text[at - 1]) && !isNamePart(text[at + name.length])) this.#offsets.push(at);
    }
  }

  get isEmpty(): boolean {
    return this.#offsets.length === 0;
  }

  /** Whether the word begins somewhere in a stretch of the text. */
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

function isNamePart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}
