/** A text → its segments, one after the other. */
import { LayoutScan } from './LayoutScan.ts';
import type { Segment } from './Segment.ts';

/**
 * The segment that begins at a line's start. Faultless, it ends where the next statement of the module begins, with
 * comments and blank lines in between still its own. After a fault nobody knows what is open, so it ends before the
 * next line that looks like a statement of the module.
 */
export function readSegment(text: string, start: number): Segment {
  return new LayoutScan(text, start).run();
}

/** All of the text from a line's start on as one segment. */
export function restOf(text: string, start: number): Segment {
  return { ...readSegment(text, start), length: text.length - start, seen: Number.POSITIVE_INFINITY };
}
