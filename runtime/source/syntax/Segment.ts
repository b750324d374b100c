/** Segments: whole statements of the module that can be read without the others. */

/** A fault and its range, in UTF-16 indices from the start of its segment. */
export interface TextFault {
  start: number;
  end: number;
  message: string;
  /** An index in the line that ends the message: "… of line 12." */
  ofLine: number | null;
  fix: string | null;
}

/** Part of a text, from the start of one line to the start of another. It does not depend on anything before it. */
export interface Segment {
  length: number;
  /**
   * Length of the text, from the segment's start, that decides what the segment is; changes beyond it have no effect.
   */
  seen: number;
  /** The first fault of the layout. */
  fault: TextFault | null;
  /** Line ends and comments inside brackets. */
  inBrackets: { start: number; end: number }[];
}

/** A segment's text and where it is in its file. */
export interface PlacedSegment {
  text: string;
  /** Its first line. */
  row: number;
  /** How many lines end in it. */
  lines: number;
  /** Whether its layout has no fault. */
  isSound: boolean;
}
