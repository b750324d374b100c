/** One of the texts that an expression can have, and what must be true for it to have this one. */
export interface Variant {
  text: string;
  /** A condition or a function in the source → the branch, or the call, that gives this text. */
  choices: ReadonlyMap<string, number>;
}

export function plain(text: string): Variant {
  return { text, choices: new Map() };
}

/** Whether two texts can occur together: none of their choices contradict each other. */
export function areCompatible({ choices }: Variant, other: Variant): boolean {
  return [...choices].every(([key, choice]) => (other.choices.get(key) ?? choice) === choice);
}

/** The texts of two expressions one after the other, in the combinations that can occur. */
export function joined(left: readonly Variant[], right: readonly Variant[]): Variant[] {
  return left.flatMap((one) =>
    right
      .filter((other) => areCompatible(one, other))
      .map((other) => ({
        text: one.text + other.text,
        choices: new Map([...one.choices, ...other.choices]),
      })),
  );
}

/** The texts that occur with a choice. */
export function chosen(texts: readonly Variant[], key: string, choice: number): Variant[] {
  return joined([{ text: '', choices: new Map([[key, choice]]) }], texts);
}

/** The same texts without a choice. */
export function without(texts: readonly Variant[], key: string): Variant[] {
  return texts.map(({ text, choices }) => ({
    text,
    choices: new Map([...choices].filter(([other]) => other !== key)),
  }));
}
