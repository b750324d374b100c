/** An edit of a text, wherever it came from. */

/** One replaced range of a text, UTF-16 indices. */
export interface TextEdit {
  start: number;
  oldEnd: number;
  newEnd: number;
}
