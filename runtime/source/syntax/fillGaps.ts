/** Valid Python that the grammar does not accept → text that it accepts, with every token at its original index. */

/**
 * Outside brackets, the grammar accepts `*` only before names and calls. Before other values, it accepts a
 * sign.
 */
const STAR = /(?<=(?:[,=([{]|\b(?:in|return|yield))\s*)\*(?=\s*(?:[[({"'~+-]|await\b|[bfrtu]{1,2}["']))/gi;

/** Between a decorator and a method, the grammar ends the class at a comment that is indented less. */
const COMMENT_LINE = /^[ \t]*#.*/gm;

/** Fills the gaps in a text that does not parse; returns the same text if there are none. */
export function fillGaps(text: string): string {
  return text.replace(STAR, '~').replace(COMMENT_LINE, (comment) => ' '.repeat(comment.length));
}
