/** Splits a text into segments. */

import { LayoutScan } from './LayoutScan.ts';
import { lineEndsIn } from './lineEnds.ts';
import type { PlacedSegment, Segment } from './Segment.ts';

/** UTF-16 units. */
const LARGE = 262_144;
/**
 * After this many faults, the rest of a text is one segment, because each broken segment may be scanned to
 * the end of the text.
 */
export const MOST_FAULTS = 100;
const STRETCH = { least: 1_024, most: 16_384 };
/** On average, one out of this many statements ends a stretch. */
const ENDS = 32;

/**
 * Whether a text is read in slices: its statements are grouped into stretches, its trees are freed batch by batch, and
 * the editor handles requests between the slices.
 */
export function isLarge(text: string): boolean {
  return text.length > LARGE;
}

/** The segments of a text, one after the other. */
export function* segmentsOf(text: string): Generator<PlacedSegment> {
  let row = 0;
  let faults = 0;
  for (let start = 0; start < text.length; ) {
    const { length, fault } = cutSegment(text, start, faults);
    if (fault) faults += 1;
    const cut = text.slice(start, start + length);
    const lines = lineEndsIn(cut);
    yield { text: cut, row, lines, isSound: fault === null };
    row += lines;
    start += length;
  }
}

/** The segment that begins at the start of a line, given the number of faulty segments before it. */
export function cutSegment(text: string, start: number, faults: number): Segment {
  if (faults === MOST_FAULTS) return restOf(text, start);
  return isLarge(text) ? readStretch(text, start) : readSegment(text, start);
}

/**
 * The segment that begins at the start of a line. Without a fault, it ends where the next statement of the
 * module begins, and includes the comments and blank lines in between. After a fault, it is not known which
 * brackets are open, so the segment ends before the next line that looks like a statement of the module.
 */
export function readSegment(text: string, start: number): Segment {
  return new LayoutScan(text, start).run();
}

/**
 * The same for a large text, which should have few segments: neighbors without a fault are joined into one
 * stretch. Whether a statement ends the stretch depends only on its own text, so that the same stretches are
 * found after an edit. The cost is that an edit binds several statements again instead of one.
 */
function readStretch(text: string, start: number): Segment {
  let stretch = readSegment(text, start);
  while (stretch.fault === null && stretch.length < STRETCH.most && start + stretch.length < text.length) {
    const { length, seen, fault, inBrackets } = readSegment(text, start + stretch.length);
    const by = stretch.length;
    // If its fault were fixed, the segment would belong to the stretch.
    if (fault) return { ...stretch, seen: by + seen };
    for (const place of inBrackets) stretch.inBrackets.push({ start: place.start + by, end: place.end + by });
    stretch = { ...stretch, length: by + length, seen: by + seen };
    if (by + length >= STRETCH.least && endsStretch(text, start + by, length)) break;
  }
  return stretch;
}

function endsStretch(text: string, start: number, length: number): boolean {
  let sum = 0;
  for (let at = start; at < start + length && at < start + 128; at += 1)
    sum += text.charCodeAt(at) * (at - start + 1);
  return sum % ENDS === 0;
}

/** The rest of a text, from the start of a line, as one segment. */
function restOf(text: string, start: number): Segment {
  return { ...readSegment(text, start), length: text.length - start, seen: Number.POSITIVE_INFINITY };
}
