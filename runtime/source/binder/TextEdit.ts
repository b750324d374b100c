/** An edit of a text, by index. */

/** One replaced range of a text, in UTF-16 indices. */
export interface TextEdit {
  start: number;
  oldEnd: number;
  newEnd: number;
}
