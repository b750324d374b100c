/** A text → its segments, one after the other. */
import { LayoutScan } from './LayoutScan.ts';
import type { Segment } from './Segment.ts';

/** UTF-16 units. */
const LARGE = 262_144;
const STRETCH = { least: 1_024, most: 16_384 };
/** Of so many statements one ends a stretch. */
const ENDS = 32;

/**
 * Whether a text is read in slices: its statements are cut into stretches, its trees are freed batch by batch, and in
 * the editor its reading shares turns with requests.
 */
export function isLarge(text: string): boolean {
  return text.length > LARGE;
}

/**
 * The segment that begins at a line's start. Faultless, it ends where the next statement of the module begins, with
 * comments and blank lines in between still its own. After a fault nobody knows what is open, so it ends before the
 * next line that looks like a statement of the module.
 */
export function readSegment(text: string, start: number): Segment {
  return new LayoutScan(text, start).run();
}

/**
 * The same of a large text, whose segments are few: neighbours without a fault are one, up to a statement that ends a
 * stretch by its own text, so that behind an edit the same stretches are found again. An edit then binds some
 * statements again instead of one.
 */
export function readStretch(text: string, start: number): Segment {
  let stretch = readSegment(text, start);
  while (stretch.fault === null && stretch.length < STRETCH.most && start + stretch.length < text.length) {
    const { length, seen, fault, inBrackets } = readSegment(text, start + stretch.length);
    const by = stretch.length;
    // Without the fault it would be one of them.
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

/** All of the text from a line's start on as one segment. */
export function restOf(text: string, start: number): Segment {
  return { ...readSegment(text, start), length: text.length - start, seen: Number.POSITIVE_INFINITY };
}
