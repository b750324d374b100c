/** Segments: whole statements of a module that can be read without the other statements. */

/** A fault and its range, in UTF-16 indices from the start of its segment. */
export interface TextFault {
  start: number;
  end: number;
  message: string;
  /** An index on the line that the end of the message names: "… on line 12." */
  ofLine: number | null;
  fix: string | null;
}

/**
 * A part of a text, from the start of one line to the start of another. It does not depend on the text before
 * it.
 */
export interface Segment {
  length: number;
  /**
   * Length of the text, from the segment's start, that determines the segment. Changes beyond it have no
   * effect.
   */
  seen: number;
  /** The first fault in the layout; null if there is none. */
  fault: TextFault | null;
  /** Line ends and comments inside brackets. */
  inBrackets: { start: number; end: number }[];
}

/** A segment's text and where it is in its file. */
export interface PlacedSegment {
  text: string;
  /** The first line of the segment. */
  row: number;
  /** Number of line ends in the segment. */
  lines: number;
  /** Whether the layout has no fault. */
  isSound: boolean;
}
