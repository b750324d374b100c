/** Valid Python that the grammar does not know → text that it does, with every token where it was. */

/** Outside of brackets the grammar takes `*` of names and calls alone; a sign before other values it knows. */
const STAR = /(?<=(?:[,=([{]|\b(?:in|return|yield))\s*)\*(?=\s*(?:[[({"'~+-]|await\b|[bfrtu]{1,2}["']))/gi;

/** Between a decorator and a method, the grammar ends the class at one that is indented less. */
const COMMENT_LINE = /^[ \t]*#.*/gm;

/** Fills what is worth another parse of a text that has errors; the same text where there is nothing to fill. */
export function fillGaps(text: string): string {
  return text.replace(STAR, '~').replace(COMMENT_LINE, (comment) => ' '.repeat(comment.length));
}
