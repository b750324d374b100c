/** Segments: stretches of whole statements of the module, each of which can be read without the others. */

/** A fault by its place, UTF-16 indices from its segment's start. */
export interface TextFault {
  start: number;
  end: number;
  message: string;
  /** Index in the line that the message ends with: "… of line 12." */
  ofLine: number | null;
  fix: string | null;
}

/** A stretch of a text, from a line's start to another's. What it is depends on nothing before it. */
export interface Segment {
  length: number;
  /** So much of the text from the start on decided what the segment is; a change beyond leaves it as it is. */
  seen: number;
  /** The first fault of the layout. */
  fault: TextFault | null;
  /** Line ends and comments inside of brackets. */
  inBrackets: { start: number; end: number }[];
}
